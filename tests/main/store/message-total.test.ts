import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { openStore } from '../../../src-main/store/database.ts'
import { messageTotal } from '../../../src-main/store/message-words.ts'
import { putMessage, removeMessages, setContent } from '../../../src-main/store/messages.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { messageFields } from '../../support/message-fields.ts'
import { emptyCache } from '../../support/empty-cache.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

// The word index's count of messages stays correct, whatever happens to them.

const directory = temporaryFolder(afterAll)
const store = openStore(join(directory, 'account.db'), () => {})
afterAll(() => store.close())

const put = (id: number) =>
  store.write((db) =>
    putMessage(
      db,
      messageFields({
        id,
        conversation: topicConversation(7, 'drift'),
        contentHtml: id % 3 === 0 ? '' : `<p>text ${id}</p>`,
      }),
      1,
    ),
  )

test('messages that come, change and go are counted', () => {
  const change = fc.tuple(
    fc.constantFrom('put', 'put', 'edit', 'remove', 'reset'),
    fc.integer({ min: 1, max: 200 }),
  )
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 30 }), (changes) => {
      for (const [what, id] of changes) {
        if (what === 'put') put(id)
        else if (what === 'edit')
          store.write((db) =>
            setContent(db, id, '<p>other words</p>', {
              contentMarkdown: null,
              editedAt: 1,
              isMeMessage: null,
            }),
          )
        else if (what === 'remove') store.write((db) => removeMessages(db, [id]))
        else store.write(emptyCache)
        expect(messageTotal(store.db)).toBe(
          store.db.get<{ n: number }>('SELECT count(*) AS n FROM messages')?.n,
        )
      }
    }),
    { numRuns: 20 },
  )
  store.write((db) => {
    emptyCache(db)
  })
  for (let id = 1; id <= 300; id++) put(id)
  expect(messageTotal(store.db)).toBe(300)
})
