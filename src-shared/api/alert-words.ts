import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const words = z.looseObject({ alert_words: z.array(z.string()) })

export const alertWordsEvent = words

/** Words that notify a person wherever they are written. */
export const alertWords = {
  getAlertWords: endpoint({
    method: 'GET',
    path: '/users/me/alert_words',
    input: z.object({}),
    output: words,
  }),
  addAlertWords: endpoint({
    method: 'POST',
    path: '/users/me/alert_words',
    input: z.object({ alert_words: z.array(z.string()) }),
    output: words,
  }),
  removeAlertWords: endpoint({
    method: 'DELETE',
    path: '/users/me/alert_words',
    input: z.object({ alert_words: z.array(z.string()) }),
    output: words,
  }),
}
