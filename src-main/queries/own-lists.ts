import { channelId } from '../../src-shared/ids.ts'
import type { Action, ActionName, ActionOf } from '../../src-shared/bridge/actions.ts'
import { topicKey, topicWithoutMark } from '../../src-shared/topic-names.ts'
import type { AlertWord, ChosenTopic, MutedPerson } from '../../src-shared/model/own-lists.ts'
import { alertWordKey, alertWords as wordsOf } from '../store/alert-words.ts'
import type { ReadableDb } from '../store/database.ts'
import { outboxRows } from '../store/outbox.ts'
import { foldName } from '../../src-shared/model/name-match.ts'
import type { QueryContext } from './context.ts'
import { labeler, personColumns, personFromRow, type PersonRow } from './labels.ts'

const mostMuted = 1_000
const mostTopics = 5_000

/** The keys of everything that waiting changes of one kind concern. */
export function waiting<N extends ActionName>(
  db: ReadableDb,
  name: N,
  keyOf: (action: ActionOf<N>) => string,
): ReadonlySet<string> {
  const isOfKind = (action: Action | null): action is ActionOf<N> => action?.name === name
  return new Set(
    outboxRows(db, 1_000).flatMap(({ action, state }) =>
      isOfKind(action) && state !== 'accepted' && state !== 'refused' ? [keyOf(action)] : [],
    ),
  )
}

/** The person's alert words, by name. */
export function alertWords({ db }: QueryContext): AlertWord[] {
  const changing = waiting(db, 'set-alert-word', ({ word }) => alertWordKey(word))
  return wordsOf(db)
    .sort((a, b) => a.localeCompare(b))
    .map((word) => ({ word, isWaiting: changing.has(alertWordKey(word)) }))
}

/** The people whom the person muted, by name. */
export function mutedPeople(context: QueryContext): MutedPerson[] {
  const { db } = context
  const changing = waiting(db, 'mute-person', ({ userId }) => String(userId))
  return db
    .all<PersonRow>(
      `SELECT ${personColumns} FROM muted_users
       JOIN users USING (user_id) LEFT JOIN presence USING (user_id) ORDER BY folded_name LIMIT ${mostMuted}`,
    )
    .map((row) => ({
      person: personFromRow(row, context),
      isWaiting: changing.has(String(row.user_id)),
    }))
}

/** The muted, unmuted and followed topics, by channel name and topic. */
export function chosenTopics(context: QueryContext): ChosenTopic[] {
  const { db } = context
  const changing = waiting(db, 'set-topic-visibility', (action) => keyOf(action.channelId, action.topic))
  const label = labeler(context)
  return db
    .all<{ channel_id: number; topic: string; visibility: ChosenTopic['visibility'] }>(
      `SELECT channel_id, topic, visibility FROM topic_visibility LIMIT ${mostTopics}`,
    )
    .flatMap(({ channel_id, topic, visibility }): (ChosenTopic & { order: string })[] => {
      const conversation = { kind: 'topic', channelId: channelId(channel_id), topic } as const
      const named = label(conversation, visibility)
      if (named.kind !== 'topic') return []
      const isWaiting = changing.has(keyOf(channel_id, topic))
      const order = foldName(`${named.channelName}\n${topicWithoutMark(named.topic)}`)
      return [{ conversation, label: named, visibility, isWaiting, order }]
    })
    .sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
    .map(({ order: _order, ...topic }) => topic)
}

const keyOf = (channel: number, topic: string) => `${channel}:${topicKey(topic)}`
