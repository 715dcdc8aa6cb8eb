import { chunk } from '../../src-shared/basics.ts'
import { failureOf } from '../../src-shared/failure.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { isAble } from '../../src-shared/model/server-abilities.ts'
import { hasChannel } from '../store/channels.ts'
import { readCursor } from '../store/cursor.ts'
import type { WritableDb } from '../store/database.ts'
import {
  endDoubt,
  isStillInPlace,
  isInDoubt,
  placeNow,
  topicsInDoubt,
  type TopicInDoubt,
} from '../store/topics-in-doubt.ts'
import { fetchPage, type BackfillParts } from './backfill.ts'
import { fetchMessages } from './fetch-messages.ts'
import { singleRun } from './single-run.ts'
import { withRetries, type RetryParts } from './with-retries.ts'

/** How many topics one request covers. */
const topicsPerRequest = 200
/** The pause between two requests: people's own requests come first, and servers limit rates. */
const politeMs = 500

/** Finds out where topics went while events were missed. */
export interface MovedMeanwhile {
  /** Called when the connection is up: resolves the topics in doubt. */
  resume(): void
}

/**
 * Asks for the newest known message of every topic in doubt, in one request. If that message is elsewhere, or gone, the
 * topic itself is fetched. Known messages that the topic then lacks are fetched by id, which shows where all of it
 * went. The topics in doubt are in the account's file, so a run may end at any point and the next one continues there.
 * If the server does not answer about a topic, the topic counts as unmoved.
 */
export function createMovedMeanwhile(
  parts: BackfillParts &
    RetryParts & {
      /** Runs in the transaction that ends the doubt. */
      topicMoved(db: WritableDb, from: Conversation, to: Conversation): void
      /** Called after the commit: these topics are no longer in doubt. */
      decided(): void
      log(line: string): void
    },
): MovedMeanwhile {
  const { store, alarm, link, signal } = parts

  const decide = (topics: readonly TopicInDoubt[], isAnswered = true) => {
    if (topics.length === 0) return
    store.write((db) => {
      for (const one of topics) {
        endDoubt(db, one.topic)
        const place = isAnswered ? placeNow(db, one) : null
        if (place?.kind === 'topic' && hasChannel(db, place.channelId)) parts.topicMoved(db, one.topic, place)
      }
    })
    parts.decided()
  }

  /** Asks, and then decides about topics; false if the connection is gone. */
  const settle = async (
    topics: () => readonly TopicInDoubt[],
    question: () => Promise<unknown>,
  ): Promise<boolean> => {
    const { generation } = readCursor(store.db)
    const answer = await withRetries(parts, question).catch((error: unknown) => {
      const failure = failureOf(error)
      // A bug must not hold messages back for ever.
      if (failure.kind !== 'bug') throw error
      return failure
    })
    if (answer === 'gone') return false
    if (answer !== 'done') parts.log(`sync: the server does not say where topics went: ${answer.message}`)
    // An answer from before another gap proves nothing: the topics are asked about again.
    if (readCursor(store.db).generation === generation) decide(topics(), answer === 'done')
    return true
  }

  const look = async (topics: readonly TopicInDoubt[]): Promise<boolean> => {
    const { featureLevel } = readCursor(store.db)
    if (isAble(featureLevel, 'messagesById')) {
      const newest = topics.flatMap(({ messageIds }) => messageIds.slice(0, 1))
      const question = () => fetchMessages(parts, newest)
      if (!(await settle(() => topics.filter((one) => isStillInPlace(store.db, one)), question))) return false
    }
    for (const one of topics.filter(({ topic }) => isInDoubt(store.db, topic))) {
      const page = () => fetchPage(parts, one.topic, { kind: 'newest' })
      if (!(await settle(() => [one], page))) return false
      await alarm.pause(politeMs)
    }
    return true
  }

  const run = async () => {
    while (!signal.aborted && link.state.status === 'online') {
      const [some] = chunk(topicsInDoubt(store.db), topicsPerRequest)
      if (some === undefined || !(await look(some))) return
    }
  }

  return { resume: singleRun(parts, 'where topics went', run) }
}
