import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { accountId as asAccountId, type DraftId } from '../../../src-shared/ids.ts'
import type { RecipientLabel } from '../../../src-shared/model/message.ts'
import { topicWithoutMark } from '../../../src-shared/topic-names.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { toasts } from '../toast.svelte.ts'

/**
 * Says once of each draft that another device changed it too, in a toast, which screen readers announce. Those that the
 * window finds in conflict when it opens are not new. Returns how to stop.
 */
export function tellConflicts(bridge: Bridge, accountId: string): () => void {
  let told: Set<DraftId> | null = null
  return bridge.watch('drafts-in-conflict', { accountId }, (drafts) => {
    const known = (told ??= new Set(drafts.map(({ id }) => id)))
    const begun = drafts.filter(({ id }) => !known.has(id))
    for (const { id } of begun) known.add(id)
    const [first, ...others] = begun
    if (first === undefined) return
    const { begins, several } = t.drafts.conflict
    toasts.show({
      words:
        others.length > 0
          ? several(begun.length)
          : begins(first.label && t.shared.quoted(placeName(first.label))),
      undo: null,
      to: { view: 'drafts', accountId: asAccountId(accountId) },
    })
  })
}

const placeName = (label: RecipientLabel): string =>
  label.kind === 'direct'
    ? label.names.join(', ')
    : t.mainWindow.placeIn(topicWithoutMark(label.topic), label.channelName)
