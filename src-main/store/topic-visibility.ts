import { topicKey } from '../../src-shared/topic-names.ts'
import type { TopicVisibility } from '../../src-shared/model/message.ts'
import { recountMentions } from './conversations.ts'
import type { ReadableDb, WritableDb } from './database.ts'

/** The person's visibility for a topic; 'none' leaves it to the channel. */
export function topicVisibility(db: ReadableDb, channelId: number, topic: string): TopicVisibility {
  const row = db.get<{ visibility: TopicVisibility }>(
    'SELECT visibility FROM topic_visibility WHERE channel_id = ? AND topic_key = ?',
    [channelId, topicKey(topic)],
  )
  return row?.visibility ?? 'none'
}

/** The same for many topics, from one reading of all choices. */
export function topicVisibilities(db: ReadableDb): (channelId: number, topic: string) => TopicVisibility {
  const chosen = db.remembered(
    'topic-visibilities',
    () =>
      new Map(
        db
          .all<{ channel_id: number; topic_key: string; visibility: TopicVisibility }>(
            'SELECT channel_id, topic_key, visibility FROM topic_visibility',
          )
          .map((row) => [`${row.channel_id}:${row.topic_key}`, row.visibility]),
      ),
  )
  return (channelId, topic) =>
    (chosen.size === 0 ? undefined : chosen.get(`${channelId}:${topicKey(topic)}`)) ?? 'none'
}

/** Stores the person's choice for a topic, whose name is compared without regard to case. */
export function setTopicVisibility(
  db: WritableDb,
  channelId: number,
  topic: string,
  visibility: TopicVisibility,
): void {
  if (topicVisibility(db, channelId, topic) !== visibility) {
    writeTopicVisibility(db, channelId, topic, visibility)
    recountMentions(db, channelId, topic)
  } else if (visibility !== 'none') writeTopicVisibility(db, channelId, topic, visibility)
}

function writeTopicVisibility(
  db: WritableDb,
  channelId: number,
  topic: string,
  visibility: TopicVisibility,
): void {
  if (visibility === 'none') {
    db.run('DELETE FROM topic_visibility WHERE channel_id = ? AND topic_key = ?', [
      channelId,
      topicKey(topic),
    ])
  } else {
    db.run('INSERT OR REPLACE INTO topic_visibility VALUES (?, ?, ?, ?)', [
      channelId,
      topicKey(topic),
      topic,
      visibility,
    ])
  }
}

/** Makes these the muted topics, given with their channels' names; unknown names are skipped. */
export function replaceMutedTopics(
  db: WritableDb,
  topics: readonly { readonly channelName: string; readonly topic: string }[],
): void {
  db.run(`DELETE FROM topic_visibility WHERE visibility = 'muted'`)
  for (const { channelName, topic } of topics) {
    const channel = db.get<{ id: number }>('SELECT channel_id AS id FROM channels WHERE name = ?', [
      channelName,
    ])
    if (channel !== undefined) setTopicVisibility(db, channel.id, topic, 'muted')
  }
}

/** Removes the choices for all topics. */
export function removeAllTopicVisibility(db: WritableDb): void {
  db.run('DELETE FROM topic_visibility')
}

/** The keys (`topicKey`) of the topics of a channel that the person follows. */
export const followedTopics = (db: ReadableDb, channelId: number): ReadonlySet<string> =>
  new Set(
    db.column<string>(
      `SELECT topic_key FROM topic_visibility WHERE channel_id = ? AND visibility = 'followed'`,
      [channelId],
    ),
  )
