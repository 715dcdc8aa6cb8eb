import { channelId } from '../../src-shared/ids.ts'
import {
  plainHtml,
  renderMarkdown,
  topicLinks,
  type MarkdownContext,
  type RenderedMessage,
} from '../../src-shared/markdown/render.ts'
import { groupDisplayName } from '../../src-shared/markdown/system-groups.ts'
import type { TopicLink } from '../../src-shared/model/message.ts'
import { foldName } from '../../src-shared/model/name-match.ts'
import { linkOfFile } from '../../src-shared/model/outgoing-file.ts'
import { settingValue } from '../store/account-settings.ts'
import { findConversation } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import { objectsOf } from '../store/objects.ts'
import { organizationText, organizationValue } from '../store/organization.ts'
import { textFromHtml } from '../store/html-text.ts'
import { beginningOf } from './excerpt.ts'
import type { QueryContext } from './context.ts'
import { emptyTopicName } from './labels.ts'

/** Whom a text notifies once it is sent. */
export type Mentions = Pick<
  RenderedMessage,
  'mentionedUserIds' | 'mentionedGroupIds' | 'mentionsChannel' | 'mentionsTopic'
>

export const noMentions: Mentions = {
  mentionedUserIds: [],
  mentionedGroupIds: [],
  mentionsChannel: false,
  mentionsTopic: false,
}

/** A text of the person, rendered as it will look once it is sent. */
export interface OwnWords {
  /** Contains only the renderer's elements; windows sanitize it like all other HTML. */
  readonly html: string
  /** Whether it is a /me message. */
  readonly isMeMessage: boolean
  readonly mentions: Mentions
}

/** What the renderer looks up while it reads a text. */
type Lookups = Pick<
  MarkdownContext,
  | 'userByName'
  | 'userById'
  | 'groupByName'
  | 'channelByName'
  | 'latestMessageInTopic'
  | 'realmEmoji'
  | 'imageByPath'
>

/** A lookup in the account's file, and the answer as text. */
interface Asked {
  readonly ask: (of: Lookups) => unknown
  readonly answer: string
}

interface Remembered {
  readonly words: OwnWords
  readonly asked: readonly Asked[]
  readonly settings: string
}

const mostRemembered = 300
/** How many texts of one query are rendered; the rest is shown as typed. */
const mostRendered = 300

const remembered = new WeakMap<ReadableDb, Map<string, Remembered>>()

/**
 * Renders the person's own texts with what this device knows of the organization. Where the server may know more (the
 * size of a picture, a topic that was never here), a link is shown instead.
 *
 * A text that replaces another, given as `before`, keeps the pictures that the server had rendered in that.
 *
 * A text is rendered only once. The result is used again as long as its lookups return the same; repeating the lookups
 * also ties a watched query to their tables.
 */
export function ownWords(db: ReadableDb): (content: string, before?: string) => OwnWords {
  let tools: { settings: Omit<MarkdownContext, keyof Lookups>; text: string; lookups: Lookups } | undefined
  let known = remembered.get(db)
  if (known === undefined) remembered.set(db, (known = new Map<string, Remembered>()))
  let rendered = 0
  return (content, before = '') => {
    if (rendered++ >= mostRendered)
      return { html: plainHtml(content), isMeMessage: false, mentions: noMentions }
    if (tools === undefined) {
      const settings = settingsIn(db)
      tools = { settings, text: JSON.stringify(settings), lookups: lookupsIn(db) }
    }
    const { settings, text } = tools
    const lookups = { ...tools.lookups, imageByPath: (path: string) => pictureIn(before, path) }
    const last = known.get(content)
    if (last?.settings === text && last.asked.every(({ ask, answer }) => told(ask(lookups)) === answer)) {
      return last.words
    }
    const asked: Asked[] = []
    const made = renderMarkdown(withoutFiles(content), { ...settings, ...noting(lookups, asked) })
    const { html, isMeMessage, mentionedUserIds, mentionedGroupIds, mentionsChannel, mentionsTopic } = made
    const mentions = { mentionedUserIds, mentionedGroupIds, mentionsChannel, mentionsTopic }
    const words = { html, isMeMessage, mentions }
    known.delete(content)
    known.set(content, { words, asked, settings: text })
    const oldest = known.keys().next()
    if (known.size > mostRemembered && oldest.done !== true) known.delete(oldest.value)
    return words
  }
}

/** Loads what rendering needs in advance, so that the first message does not wait for it. */
export const prepareToRender = (db: ReadableDb): void => void ownWords(db)('')

/** Renders the person's own texts; a query uses one for all of its texts. */
export type OwnTextRenderer = ReturnType<typeof ownWords>

/**
 * The beginning of a rendered text, as one line that fits a row; the beginning of the typed text if the rendered one
 * is empty.
 */
export function ownBeginning(db: ReadableDb, content: string, looks: OwnTextRenderer): string {
  const line = (text: string) => text.replace(/\s+/g, ' ').trim()
  return beginningOf(line(textFromHtml(db, looks(content).html)) || line(content), 200)
}

/** The text with outgoing files as names, because there is nothing to open yet. */
const withoutFiles = (content: string): string =>
  content.replace(new RegExp(`!?\\[([^\\]\\n]*)\\]\\(${linkOfFile.source}\\)`, 'g'), '📎 $1')

const told = (answer: unknown): string => JSON.stringify(answer) ?? ''

function noting(lookups: Lookups, asked: Asked[]): Lookups {
  const note = <R>(ask: (of: Lookups) => R): R => {
    const answer = ask(lookups)
    asked.push({ ask, answer: told(answer) })
    return answer
  }
  return {
    userByName: (name) => note((of) => of.userByName(name)),
    userById: (id) => note((of) => of.userById(id)),
    groupByName: (name) => note((of) => of.groupByName(name)),
    channelByName: (name) => note((of) => of.channelByName(name)),
    latestMessageInTopic: (channelId, topic) => note((of) => of.latestMessageInTopic(channelId, topic)),
    realmEmoji: (name) => note((of) => of.realmEmoji(name)),
    imageByPath: (path) => note((of) => of.imageByPath(path)),
  }
}

/** The properties of an uploaded picture, as the server rendered it in a message. */
function pictureIn(html: string, path: string): ReturnType<MarkdownContext['imageByPath']> {
  const start = `/user_uploads/thumbnail/${path.slice('/user_uploads/'.length)}/`
  for (const [tag] of html.matchAll(/<img [^>]*>/g)) {
    const told = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
    const [width = 0, height = 0] = told('data-original-dimensions').split('x').map(Number)
    if (!told('src').startsWith(start) || !(width > 0 && height > 0)) continue
    const contentType = told('data-original-content-type')
    return { contentType, width, height, animated: told('data-animated') === 'true' }
  }
  return undefined
}

const linkifiers = (db: ReadableDb): MarkdownContext['linkifiers'] =>
  objectsOf(db, 'linkifier')
    .sort((a, b) => Number(a['position']) - Number(b['position']))
    .map(({ id, pattern, url_template }) => ({
      id: Number(id),
      pattern: String(pattern),
      urlTemplate: String(url_template),
    }))

/** The links that the server finds in a topic. */
export function linksOfTopic({ db }: QueryContext, topic: string): TopicLink[] {
  const rules = db.remembered('linkifiers', () => linkifiers(db))
  // Most topics have none, and every bar above messages asks, so nothing is loaded for those.
  return rules.length === 0 && !/[.:]/.test(topic) ? [] : topicLinks(topic, rules)
}

function settingsIn(db: ReadableDb): Omit<MarkdownContext, keyof Lookups> {
  return {
    linkifiers: linkifiers(db),
    defaultCodeLanguage: organizationText(db, 'realm_default_code_block_language') ?? '',
    realmUrl: organizationText(db, 'realm_url') ?? 'https://unknown.invalid',
    emptyTopicDisplayName: emptyTopicName(db),
    translateEmoticons: settingValue(db, 'translatesEmoticons'),
    inlineImagePreview:
      organizationValue(db, 'realm_inline_image_preview') !== false &&
      organizationValue(db, 'server_inline_image_preview') !== false,
  }
}

interface UserNameRow {
  id: number
  name: string
  isActive: number
}

function lookupsIn(db: ReadableDb): Lookups {
  const user = (row: UserNameRow | undefined) =>
    row && { id: row.id, fullName: row.name, isActive: row.isActive === 1 }
  const columns = 'user_id AS id, full_name AS name, is_active AS isActive'
  let groups: ReturnType<typeof groupsIn> | undefined
  return {
    userByName: (name) =>
      user(
        db.get<UserNameRow>(
          `SELECT ${columns} FROM users WHERE folded_name = ? AND full_name = ? COLLATE NOCASE ORDER BY user_id`,
          [foldName(name), name],
        ),
      ),
    userById: (id) => user(db.get<UserNameRow>(`SELECT ${columns} FROM users WHERE user_id = ?`, [id])),
    groupByName: (name) => (groups ??= groupsIn(db)).get(name.toLowerCase()),
    channelByName: (name) =>
      db.get<{ id: number; name: string }>(
        'SELECT channel_id AS id, name FROM channels WHERE folded_name = ? AND name = ?',
        [foldName(name), name],
      ),
    // The server's data about a picture, besides its address, is not stored here.
    imageByPath: () => undefined,
    latestMessageInTopic: (channel, topic) => {
      const id = findConversation(db, { kind: 'topic', channelId: channelId(channel), topic })
      return id === undefined
        ? undefined
        : db.get<{ id: number }>(
            'SELECT newest_message_id AS id FROM conversations WHERE conversation_id = ? AND newest_message_id > 0',
            [id],
          )?.id
    },
    realmEmoji: (name) =>
      db.get<{ id: string; sourceUrl: string; stillUrl: string | null }>(
        `SELECT emoji_id AS id, source_url AS sourceUrl, still_url AS stillUrl FROM realm_emoji
         WHERE name = ? AND is_deactivated = 0`,
        [name],
      ),
  }
}

function groupsIn(db: ReadableDb) {
  return new Map(
    objectsOf(db, 'user-group').map((group) => {
      const name = String(group['name'])
      return [
        name.toLowerCase(),
        {
          id: Number(group['id']),
          name,
          displayName: groupDisplayName(name),
          isSystem: group['is_system_group'] === true,
          isActive: group['deactivated'] !== true,
        },
      ] as const
    }),
  )
}
