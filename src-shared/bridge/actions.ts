import { z } from 'zod'
import { channelColors } from '../model/channel-color.ts'
import { channelIdSchema, draftIdSchema, messageIdSchema, userIdSchema } from './id-schemas.ts'
import { organizationActions } from './organization-actions.ts'
import { conversationSchema, emojiSchema, messageIdsSchema, narrowSchema, writtenText } from './schemas.ts'
import { settingForms, settingNames } from './settings.ts'

const stepText = z.string().min(1).max(2_000)
const reminderNote = z.string().max(1_000)
/** Of a word to be told of, in characters. */
export const longestAlertWord = 100

const choiceOrDefault = z.boolean().nullable()
/** What a person may want of a channel that they are in; null: as the account's setting says. */
const subscriptionForms = {
  color: z.enum(channelColors),
  muted: z.boolean(),
  pinned: z.boolean(),
  desktop: choiceOrDefault,
  sound: choiceOrDefault,
  push: choiceOrDefault,
  email: choiceOrDefault,
  wildcardMentions: choiceOrDefault,
} as const
export type SubscriptionProperty = keyof typeof subscriptionForms
// The keys of the table above, and at least one.
const subscriptionProperties = Object.keys(subscriptionForms) as [
  SubscriptionProperty,
  ...SubscriptionProperty[],
]

const movePlace = z.object({ channelId: channelIdSchema, topic: z.string().max(1_000) })

/**
 * Everything a person can do that changes the server and works offline. Names are stored on disk: they are only
 * ever added.
 */
export const actions = {
  'send-message': z.object({
    conversation: conversationSchema,
    content: writtenText.min(1),
    /** The draft that becomes this message; it is gone once the message is in the outbox. */
    draftId: draftIdSchema.nullable(),
  }),
  'edit-message': z.object({
    messageId: messageIdSchema,
    content: writtenText,
    /** The Markdown the person began from, so that somebody else's change is noticed; null when unknown. */
    previousContent: writtenText.nullable(),
  }),
  'delete-message': z.object({
    messageId: messageIdSchema,
    /** What it was, for who looks at what waits; noted when it is done. */
    was: z.object({ conversation: conversationSchema, beginning: z.string().max(300) }).optional(),
  }),
  /** Moves a message, it and the later ones of its topic, or the whole topic; also how a topic is renamed or resolved. */
  'move-messages': z.object({
    messageId: messageIdSchema,
    which: z.enum(['one', 'later', 'all']),
    from: movePlace,
    to: movePlace,
  }),
  react: z.object({ messageId: messageIdSchema, emoji: emojiSchema, on: z.boolean() }),
  'star-message': z.object({ messageIds: messageIdsSchema, on: z.boolean() }),
  'collapse-message': z.object({ messageIds: messageIdsSchema, on: z.boolean() }),
  'mark-read': z.object({ messageIds: messageIdsSchema }),
  'mark-unread': z.object({ messageIds: messageIdsSchema }),
  /** Everything unread in the narrow, up to the newest message this device knows. */
  'mark-narrow-read': z.object({ narrow: narrowSchema, upTo: messageIdSchema }),
  'set-topic-visibility': z.object({
    channelId: channelIdSchema,
    topic: z.string().max(1_000),
    visibility: z.enum(['none', 'muted', 'unmuted', 'followed']),
  }),
  /** Joins a channel. */
  subscribe: z.object({ channelId: channelIdSchema }),
  /** Leaves a channel. */
  unsubscribe: z.object({ channelId: channelIdSchema }),
  /** One of the person's own settings for a channel. */
  'set-subscription': z
    .object({
      channelId: channelIdSchema,
      property: z.enum(subscriptionProperties),
      value: z.union([z.boolean(), z.enum(channelColors), z.null()]),
    })
    .refine(({ property, value }) => subscriptionForms[property].safeParse(value).success, {
      error: 'Not a value of this setting.',
    }),
  /** Has the server send a message at a moment, epoch milliseconds; the draft ends. */
  'schedule-message': z.object({
    conversation: conversationSchema,
    content: writtenText.min(1),
    draftId: draftIdSchema.nullable(),
    sendAt: z.int().min(0),
  }),
  'cancel-scheduled': z.object({ scheduledId: z.int() }),
  /** New text or another moment, epoch milliseconds, for a message that the server is to send; null leaves it. */
  'edit-scheduled': z.object({
    scheduledId: z.int(),
    /** Where it goes, which stays as it is. */
    conversation: conversationSchema,
    content: writtenText.min(1).nullable(),
    sendAt: z.union([z.int().min(0), z.literal('now')]).nullable(),
  }),
  /** Keeps a text to insert into messages. */
  'save-snippet': z.object({ title: z.string().min(1).max(60), content: writtenText.min(1) }),
  /** Another title and text for one. */
  'change-snippet': z.object({
    snippetId: z.int(),
    title: z.string().min(1).max(60),
    content: writtenText.min(1),
  }),
  /** The title is for those who see it wait. */
  'delete-snippet': z.object({ snippetId: z.int(), title: z.string().max(200) }),
  /** A step in a poll or a to-do list: a vote, an option, a task, a tick. */
  'widget-step': z.object({
    messageId: messageIdSchema,
    step: z.discriminatedUnion('type', [
      z.object({ type: z.literal('vote'), key: z.string().max(200), vote: z.literal([1, -1]) }),
      /** Only who wrote the message may change what it asks, or what its list is called. */
      z.object({ type: z.literal('question'), question: stepText }),
      z.object({ type: z.literal('new_task_list_title'), title: stepText }),
      z.object({ type: z.literal('new_option'), idx: z.int().min(0).max(1_000), option: stepText }),
      z.object({
        type: z.literal('new_task'),
        key: z.int().min(0).max(1_000),
        task: stepText,
        desc: z.string().max(2_000),
        completed: z.boolean(),
      }),
      /** The wire knows only the change; how it is to be makes it safe to repeat. */
      z.object({ type: z.literal('strike'), key: z.string().max(200), on: z.boolean() }),
    ]),
  }),
  /** Tells the moderators of a message. */
  'report-message': z.object({
    messageId: messageIdSchema,
    reason: z.enum(['spam', 'harassment', 'inappropriate', 'norms', 'other']),
    words: z.string().max(1_000),
  }),
  /** Has the server bring a message back at a time, epoch milliseconds. */
  'remind-me': z.object({
    messageId: messageIdSchema,
    at: z.int().positive(),
    note: reminderNote.default(''),
  }),
  /** Another time or note for a reminder; no time: it is done with. */
  'change-reminder': z.object({
    reminderId: z.int(),
    messageId: messageIdSchema,
    at: z.int().positive().nullable(),
    note: reminderNote,
  }),
  /** Hides what somebody writes, and their notifications. */
  'mute-person': z.object({ userId: userIdSchema, on: z.boolean() }),
  /** A word to be told of, or not any more; case does not count. */
  'set-alert-word': z.object({
    word: z
      .string()
      .trim()
      .min(1)
      .refine((word) => [...word].length <= longestAlertWord),
    on: z.boolean(),
  }),
  /** What stands beside one's own name; empty text and no emoji take it away. */
  'set-status': z.object({ text: z.string().max(60), emoji: emojiSchema.nullable() }),
  'update-setting': z
    .object({
      property: z.enum(settingNames),
      value: z.union([z.boolean(), z.string().max(1_000), z.number()]),
    })
    .refine(({ property, value }) => settingForms[property].safeParse(value).success, {
      error: 'Not a value of this setting.',
    }),
  ...organizationActions,
} as const satisfies Record<string, z.ZodObject>

export type ActionName = keyof typeof actions
/** An action as a window gives it. */
export type ActionInput = { [N in ActionName]: { name: N } & z.input<(typeof actions)[N]> }[ActionName]
/** An action after the check. */
export type Action = { [N in ActionName]: { name: N } & z.output<(typeof actions)[N]> }[ActionName]
export type ActionOf<N extends ActionName> = Extract<Action, { name: N }>

const isActionName = (name: unknown): name is ActionName =>
  typeof name === 'string' && Object.hasOwn(actions, name)

/** Any action, checked; used on arrival from a window and again when it is read from disk. */
export const actionSchema = z.looseObject({ name: z.string() }).transform((value, context): Action => {
  if (!isActionName(value.name)) {
    context.issues.push({ code: 'custom', message: `There is no action named ${value.name}.`, input: value })
    return z.NEVER
  }
  const parsed = actions[value.name].safeParse(value)
  if (!parsed.success) {
    context.issues.push({ code: 'custom', message: z.prettifyError(parsed.error), input: value })
    return z.NEVER
  }
  // Parsed by the schema of this very name; TypeScript cannot follow that through the table.
  return { name: value.name, ...parsed.data } as Action
})
