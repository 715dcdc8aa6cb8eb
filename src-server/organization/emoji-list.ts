import type { FastifyInstance } from 'fastify'
import { daySeconds } from '../../src-shared/durations.ts'
import { emojiNamesByCode } from '../../src-shared/markdown/emoji.ts'

/** The path of the list of all Unicode emoji names. */
export const emojiNamesPath = '/static/emoji-names.json'

/** Serves the names of all Unicode emoji by their codes, the preferred name first. */
export function addEmojiList(server: FastifyInstance): void {
  let text: string | undefined
  server.get(emojiNamesPath, (_request, reply) => {
    text ??= JSON.stringify({ code_to_names: Object.fromEntries(emojiNamesByCode()) })
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', `public, max-age=${daySeconds}`)
      .send(text)
  })
}
