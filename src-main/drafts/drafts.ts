import type { ApiDraft } from '../../src-shared/api/drafts.ts'
import type { EventPayload } from '../../src-shared/api/events.ts'
import { dayMs } from '../../src-shared/durations.ts'
import { refusedHere } from '../../src-shared/failure.ts'
import { draftId, newId, type DraftId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { DraftContent, DraftRecipient } from '../../src-shared/model/draft.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { keepGoing } from '../api/keep-going.ts'
import { withoutBlankEdges } from '../store/as-kept.ts'
import { readCursor } from '../store/cursor.ts'
import type { WritableDb } from '../store/database.ts'
import { addVersion, dropOldVersions, reviveVersions, versionsOf } from '../store/draft-versions.ts'
import {
  allDrafts,
  draftById,
  endDraft,
  insertDraft,
  noConflict,
  putDraft,
  updateDraftText,
  type StoredDraft,
} from '../store/drafts.ts'
import { isInProvisionalChannel, withIdsNow } from '../store/provisional.ts'
import { splitDraft } from '../store/split-drafts.ts'
import { doubtIfStale } from '../store/topics-in-doubt.ts'
import { endEditsOf } from '../store/unsaved-edits.ts'
import type { DraftsParts } from './drafts-parts.ts'
import { followTopic } from './follow-topic.ts'
import { mergeDraft, sameRecipient } from './merge.ts'
import {
  applyServerDraft,
  applyServerDraftRemoval,
  applyServerDrafts,
  type ReconcileContext,
} from './reconcile.ts'
import { startSaver } from './saver.ts'
import { isBlank, sameOnServer } from './wire.ts'

/** How long old versions are kept, in milliseconds. */
const versionsKeptMs = 30 * dayMs

/**
 * The texts that a person has not sent yet, synchronized between devices.
 *
 * ```
 *                  type                  save begins                  echo of the save seen
 *  (new) ─► edited ─────► edited   edited ────────────► saving ─┬─ nothing typed since ─► synced
 *  synced ─ type ─► edited                                      ├─ typed meanwhile ─────► edited
 *                                                               ├─ no answer ───────────► unsure ─► looked up
 *                                                               └─ gone on the server ──► edited (created again)
 *  synced ─ changed elsewhere ─► synced       edited ─ changed elsewhere ─► merged ─┬─ clean ────► edited
 *  synced ─ deleted elsewhere ─► (ended)      edited ─ deleted elsewhere ─► edited  └─ conflict ─► conflict
 *  edited ─ the server stops keeping drafts ─► local-only ─ it keeps them again ─► edited
 * ```
 *
 * 1. When `save` returns, the text is on disk.
 * 2. Every version that the person or another device made is kept for at least 30 days.
 * 3. A save is never repeated before the server was asked whether it arrived.
 */
export interface Drafts {
  /**
   * Stores what the person typed and returns the draft as it is afterwards. Blank text ends the draft; a null id
   * creates a new one. `basis` is the text that the window showed before the person changed it, if known: a version
   * that arrived from another device since is merged with the typed text, or both are kept as a conflict. `addressed`
   * is the recipient that the window showed then, if known: unless the person changed it, the draft keeps the recipient
   * that it has now. `beginsConflict` tells whether the other version conflicts with what was typed.
   */
  save(
    id: DraftId | null,
    draft: DraftContent,
    basis?: string | null,
    addressed?: DraftRecipient,
  ): DraftContent & { draftId: DraftId; beginsConflict: boolean }
  /** The person stopped writing in it: it is saved on the server now, and the text is kept as a version. */
  leave(id: DraftId): void
  /** Ends the draft; its versions stay. */
  delete(id: DraftId): void
  /**
   * Restores the text of an earlier version; the current text is kept as a version, and the draft keeps its recipient. A
   * draft that ended is a draft again, with that version's recipient, and with another id as long as the server still has
   * to delete it. Throws a refusal (NO_SUCH_VERSION) if the version is gone.
   */
  restore(id: DraftId, version: number): DraftContent & { draftId: DraftId }
  /**
   * Ends a conflict with the text that the person chose. `shown` is the other device's version that they saw, and `own`
   * their own text: what either has become since is merged with the chosen text, or stays a conflict with it. Throws a
   * refusal (NO_SUCH_DRAFT) if the draft is gone.
   */
  resolve(id: DraftId, draft: DraftContent, shown: DraftContent, own: string): void
  /** Ends a conflict by making two drafts. Throws a refusal (NO_SUCH_DRAFT) if the draft is gone. */
  keepBoth(id: DraftId): void
  /** Applies an event. Must be called in the transaction of its batch. */
  onEvent(db: WritableDb, payload: EventPayload<'drafts'>): void
  /** A registration is requested: its drafts may be older than what the server accepts from now on. */
  onRegistering(): void
  /**
   * Applies the drafts of a registration; null if the server keeps none. A draft that is missing from the list was
   * ended elsewhere, unless `mayBeThere` says that the list may be incomplete.
   */
  onSnapshot(
    db: WritableDb,
    seen: readonly ApiDraft[] | null,
    mayBeThere: (serverId: number) => boolean,
  ): void
  /** The setting that drafts are kept on the server was switched; if off, the server has deleted all of them. */
  onSwitch(db: WritableDb, areKept: boolean): void
  /** A whole topic was moved: its drafts follow. */
  onTopicMoved(db: WritableDb, from: Conversation, to: Conversation): void
  /** Messages were deleted: what was begun about them and not saved is a draft then. */
  onMessagesDeleted(db: WritableDb, ids: readonly number[]): void
  /** Whether the server can be reached; nothing is saved there otherwise. */
  setOnline(online: boolean): void
  /** Retries everything now instead of at its next attempt. */
  wake(): void
}

/**
 * A copy of the draft that was typed in last, valid until something else commits to drafts: it saves reads per
 * keystroke.
 */
interface TypedIn extends DraftContent {
  readonly id: DraftId
  /** The text that this device and the server last agreed on; null if it was never saved. */
  readonly base: string | null
  /** The number of commits to drafts at the time of the copy. */
  readonly commits: number
}

/** Starts the drafts of one account; they are saved on the server until `signal` aborts. */
export function createDrafts(parts: DraftsParts): Drafts {
  const { store, clock, ownUserId } = parts
  const context: ReconcileContext = {
    ownUserId,
    now: () => clock.now(),
    newDraftId: () => draftId(newId('d', clock)),
  }

  // If the process ended during a save, the outcome is unknown.
  store.write((db) => {
    for (const draft of allDrafts(db)) {
      if (draft.saving !== null) putDraft(db, { ...draft, state: 'unsure' })
    }
  })

  // An app in the tray runs for weeks, so once at the start is not enough.
  const dropOld = async () => {
    store.write((db) => {
      // By the server's clock: this device's may be wrong, and what is dropped does not come back when it is corrected.
      const { serverHeardAt } = readCursor(db)
      if (serverHeardAt !== null) dropOldVersions(db, serverHeardAt, versionsKeptMs)
    })
    await clock.wait(dayMs, parts.signal)
  }
  keepGoing(dropOld, { clock, signal: parts.signal, log: (line) => parts.log(`drafts: ${line}`) })

  const saver = startSaver(parts, context)

  const demand = (id: DraftId): StoredDraft => {
    const draft = draftById(store.db, id)
    if (draft === undefined || draft.isDeleted) throw refusedHere('NO_SUCH_DRAFT', t.failures.draftGone)
    return draft
  }

  const stateAfterTyping = (draft: StoredDraft, local: DraftContent): StoredDraft['state'] => {
    if (draft.state === 'conflict' || draft.state === 'saving' || draft.state === 'unsure') return draft.state
    if (!parts.keepsDrafts()) return 'local-only'
    return sameOnServer(store.db, local, draft.base) ? 'synced' : 'edited'
  }

  /** The draft with the typed text, merged with a version that the window did not show when the person typed. */
  const afterTyping = (
    db: WritableDb,
    known: StoredDraft,
    typed: DraftContent,
    basis: string | null,
    addressed: DraftRecipient = typed.recipient,
  ): StoredDraft => {
    const plain = { ...known, local: typed, state: stateAfterTyping(known, typed) }
    if (basis === null) return plain
    const wentElsewhere =
      sameRecipient(typed.recipient, addressed) && !sameRecipient(known.local.recipient, addressed)
    if (known.local.content === basis && !wentElsewhere) return plain
    const merged = mergeDraft({ recipient: addressed, content: basis }, typed, known.local)
    if (merged.kind === 'clean') {
      return { ...known, local: merged.draft, state: stateAfterTyping(known, merged.draft) }
    }
    addVersion(db, known.id, known.local, 'here', clock.now())
    // Only one conflict at a time. The person finds this text among the versions.
    if (known.remote !== null) return plain
    return {
      ...known,
      local: typed,
      base: { recipient: known.local.recipient, content: basis },
      remote: known.local,
      remoteEditedAt: known.editedAt,
      onServer: known.base,
      state: known.saving === null ? 'conflict' : known.state,
    }
  }

  const stateOutOfConflict = ({ local, base, saving, state }: StoredDraft): StoredDraft['state'] => {
    if (saving !== null) return state === 'unsure' ? 'unsure' : 'saving'
    if (!parts.keepsDrafts()) return 'local-only'
    return sameOnServer(store.db, local, base) ? 'synced' : 'edited'
  }

  /** The draft with the text that the person chose in a conflict, merged with what came since that was shown. */
  const resolved = (
    db: WritableDb,
    known: StoredDraft,
    chosen: DraftContent,
    shown: DraftContent,
    own: string,
  ): StoredDraft => {
    const { remote, local } = known
    if (remote !== null && local.content !== own) {
      // Words that were added at the end follow the chosen text, although that may end in other words. What goes on
      // with the last word does not.
      const added = local.content.startsWith(own) ? local.content.slice(own.trimEnd().length) : ''
      if (/^\s/.test(added)) {
        const content = chosen.content.trimEnd() + added
        return resolved(db, known, { ...chosen, content }, shown, local.content)
      }
      const after = resolved(db, { ...known, local: chosen }, chosen, shown, chosen.content)
      return afterTyping(db, after, local, own)
    }
    // The conflict has ended meanwhile.
    if (remote === null) return afterTyping(db, known, chosen, shown.content, shown.recipient)
    const isAsShown = sameOnServer(db, remote, shown)
    const merged = isAsShown ? null : mergeDraft(shown, chosen, remote)
    if (merged?.kind === 'conflict') return { ...known, local: chosen, base: shown }
    const base = known.serverId === null ? null : (known.onServer ?? known.base)
    const after = { ...known, local: merged?.draft ?? chosen, base, ...noConflict }
    return { ...after, state: stateOutOfConflict(after) }
  }

  const create = (db: WritableDb, local: DraftContent, id = context.newDraftId()): StoredDraft =>
    insertDraft(db, id, local, parts.keepsDrafts() ? 'edited' : 'local-only', clock.now())

  let typedIn: TypedIn | null = null
  /** A draft that waits to be saved and was not refused; otherwise null. Reads the file only after other commits. */
  const awaitingSave = (id: DraftId): TypedIn | null => {
    const commits = store.commitsTo('drafts')
    if (typedIn?.id === id && typedIn.commits === commits) return typedIn
    const row = draftById(store.db, id)
    if (row?.state !== 'edited' || row.isDeleted || row.refusal !== null) return null
    return { id, ...row.local, base: row.base?.content ?? null, commits }
  }

  return {
    save(id, given, basis = null, givenAddressed) {
      const asGiven = { typed: given, addressed: givenAddressed }
      // Runs at each keystroke, so the ids are only mapped in the rare case of a provisional channel.
      const { typed, addressed } =
        isInProvisionalChannel(given.recipient) || isInProvisionalChannel(givenAddressed)
          ? withIdsNow(store.db, asGiven)
          : asGiven
      const kept = withoutBlankEdges(typed.content)
      const now = clock.now()
      const last = id === null || kept === '' || !parts.keepsDrafts() ? null : awaitingSave(id)
      const isPlain =
        last !== null &&
        last.content === basis &&
        last.content !== typed.content &&
        !isBlank(last.content) &&
        sameRecipient(last.recipient, typed.recipient) &&
        // Otherwise the text may equal what the server already has, and the draft may be synced.
        last.base?.includes(kept) !== true
      if (isPlain && store.writeOnce((db) => updateDraftText(db, last.id, typed.content, now))) {
        typedIn = { ...last, content: typed.content, commits: store.commitsTo('drafts') }
        saver.typedOn(last.id, now)
        const { recipient, content } = typed
        return { draftId: last.id, recipient, content, beginsConflict: false }
      }
      let isDoubtful = false
      let beginsConflict = false
      const saved = store.write((db) => {
        const known = id === null ? undefined : draftById(db, id)
        if (kept === '') {
          if (known !== undefined && !known.isDeleted) endDraft(db, known.id, now)
          return { draftId: id ?? context.newDraftId(), ...typed }
        }
        const { recipient } = typed
        if (recipient !== null && !sameRecipient(recipient, known?.local.recipient ?? null))
          isDoubtful = doubtIfStale(db, recipient)
        // Typing in a draft that ended in the meantime (sent or deleted elsewhere) creates a new one.
        if (known === undefined || known.isDeleted) {
          const made = create(db, typed, known === undefined ? (id ?? undefined) : undefined)
          return { draftId: made.id, ...typed }
        }
        if (sameRecipient(known.local.recipient, typed.recipient) && known.local.content === typed.content)
          return { draftId: known.id, ...typed }
        const next = afterTyping(db, known, typed, basis, addressed)
        putDraft(db, { ...next, editedAt: now })
        beginsConflict = known.remote === null && next.remote !== null
        return { draftId: known.id, ...next.local }
      })
      if (isDoubtful) parts.findTopics()
      saver.typed(saved.draftId, now)
      return { ...saved, beginsConflict }
    },
    leave(id) {
      const draft = draftById(store.db, id)
      if (draft === undefined) return
      if (!draft.isDeleted && !isBlank(draft.local.content)) {
        store.write((db) => addVersion(db, id, draft.local, 'here', clock.now()))
      }
      saver.left(id)
    },
    delete(id) {
      store.write((db) => endDraft(db, id, clock.now()))
      saver.wake()
    },
    restore(id, number) {
      const versions = versionsOf(store.db, id)
      const version = versions.find((candidate) => candidate.number === number)
      if (version === undefined) {
        throw refusedHere('NO_SUCH_VERSION', t.failures.versionGone)
      }
      // If the topic of a draft that ended moved since that version, the restored text goes to where the topic is now.
      const hasMoved = versions.some(
        (later) =>
          later.origin === 'followed' &&
          later.number >= number &&
          sameRecipient(later.recipient, version.recipient),
      )
      const known = draftById(store.db, id)
      const isLive = known !== undefined && !known.isDeleted
      const { recipient } = isLive ? known.local : ((hasMoved ? versions[0] : undefined) ?? version)
      const content: DraftContent = { recipient, content: version.content }
      const restored = store.write((db) => {
        if (!isLive) {
          const made = create(db, content, known === undefined ? id : undefined)
          reviveVersions(db, id, made.id)
          return made.id
        }
        addVersion(db, id, known.local, 'here', clock.now())
        putDraft(db, {
          ...known,
          local: content,
          state: stateAfterTyping(known, content),
          editedAt: clock.now(),
        })
        return id
      })
      saver.typed(restored, clock.now())
      return { draftId: restored, ...content }
    },
    resolve(id, draft, shown, own) {
      const known = demand(id)
      store.write((db) => {
        addVersion(db, id, known.local, 'here', clock.now())
        addVersion(db, id, draft, 'merged', clock.now())
        putDraft(db, { ...resolved(db, known, draft, shown, own), editedAt: clock.now() })
      })
      saver.left(id)
    },
    keepBoth(id) {
      const known = demand(id)
      if (known.remote === null) return
      store.write((db) => {
        const state = parts.keepsDrafts() ? 'edited' : 'local-only'
        const mine = splitDraft(db, known, context.newDraftId(), state, clock.now())
        putDraft(db, { ...mine, state: stateOutOfConflict(mine) })
      })
      saver.wake()
    },
    onEvent(db, payload) {
      if (payload.op === 'add') for (const draft of payload.drafts) applyServerDraft(db, draft, context)
      else if (payload.op === 'update') applyServerDraft(db, payload.draft, context)
      else applyServerDraftRemoval(db, payload.draft_id, context)
      saver.wake()
    },
    onRegistering: saver.registering,
    onSnapshot(db, seen, mayBeThere) {
      saver.forgetEchoes(db)
      saver.offerAgain()
      // A server that does not keep drafts returns an empty list; that must not end the drafts here.
      const { isNewer, isDeletedThere, mayBeUnderWay } = saver
      applyServerDrafts(db, parts.keepsDrafts() ? seen : null, context, {
        mayBeThere: (id) => mayBeThere(id) && !isDeletedThere(id),
        isNewer,
        mayBeUnderWay,
      })
      saver.wake()
    },
    onSwitch(db, areKept) {
      if (areKept) saver.offerAgain()
      else applyServerDrafts(db, null, context)
      saver.wake()
    },
    onTopicMoved: (db, from, to) => followTopic(db, from, to, clock.now(), stateAfterTyping),
    onMessagesDeleted(db, ids) {
      for (const content of endEditsOf(db, ids)) create(db, { recipient: null, content })
    },
    setOnline: saver.setOnline,
    wake: saver.tryNow,
  }
}
