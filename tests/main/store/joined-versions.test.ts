import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { draftId } from '../../../src-shared/ids.ts'
import { openStore } from '../../../src-main/store/database.ts'
import { addVersion, joinVersions, versionsOf } from '../../../src-main/store/draft-versions.ts'
import { insertDraft } from '../../../src-main/store/drafts.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const text = (content: string) => ({ recipient: null, content })

test('a text that had no version of its own is listed with when it was written, before those of the other draft', () => {
  const store = openStore(join(temporaryFolder(onTestFinished), 'account.db'), () => {})
  onTestFinished(() => store.close())
  const [one, other] = [draftId('d1'), draftId('d2')]
  store.write((db) => {
    const from = insertDraft(db, one, text('six boats'), 'edited', 1_000)
    insertDraft(db, other, text('six boats and a raft'), 'edited', 5_000)
    addVersion(db, other, text('six boats and a raft'), 'here', 5_000)
    joinVersions(db, from, other)
  })
  const listed = versionsOf(store.db, other).map(({ content, savedAt }) => [content, savedAt])
  expect(listed).toEqual([
    ['six boats and a raft', 5_000],
    ['six boats', 1_000],
  ])
  expect(versionsOf(store.db, one)).toEqual([])
})
