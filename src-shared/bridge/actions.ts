import { z } from 'zod'
import { channelColors } from '../model/channel-color.ts'
import { topicVisibilities } from '../model/message.ts'
import { longestProfileText } from '../model/profile.ts'
import { channelIdSchema, draftIdSchema, messageIdSchema, userIdSchema } from './id-schemas.ts'
import { organizationActions } from './organization-actions.ts'
import { conversationSchema, emojiSchema, messageIdsSchema, narrowSchema, writtenText } from './schemas.ts'
import { settingForms, settingNames } from './settings.ts'

const stepText = z.string().min(1).max(2_000)
const reminderNote = z.string().max(1_000)
/** The newest object of its kind that this device knew when the request left last; noted when it leaves. */
const newestKnown = z.int().min(0).optional()

/** What a change takes away, as the cache had it, in the specification's fields; filled in by the outbox. */
const asCached = z.record(z.string(), z.unknown()).optional()
/** When the server was to send a scheduled message, in UNIX seconds; without it, nobody can tell. */
const due = z.int().optional()
/** In characters. */
export const longestAlertWord = 100

/** The longest name of a person, in characters. */
export const longestName = 100

const choiceOrDefault = z.boolean().nullable()
/** A person's own settings for a channel; null: follows the account's setting. */
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
// The keys of the table above, at least one.
const subscriptionProperties = Object.keys(subscriptionForms) as [
  SubscriptionProperty,
  ...SubscriptionProperty[],
]

const movePlace = z.object({ channelId: channelIdSchema, topic: z.string().max(1_000) })

/**
 * Everything that a person can do offline and that changes the server. Names are stored on disk, so they may be added
 * but never renamed or removed.
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
    /** The Markdown that the person started from, so that somebody else's change is noticed; null if unknown. */
    previousContent: writtenText.nullable(),
    /** If it is unknown: when the message was last edited, epoch milliseconds, 0 for never; filled in by the outbox. */
    seenEditedAt: z.int().optional(),
    /** The texts of discarded edits before it that may have arrived: it may start from these, too. */
    orPreviousContents: z.array(writtenText).optional(),
  }),
  'delete-message': z.object({
    messageId: messageIdSchema,
    /** What the message was, shown to the person while the deletion waits; filled in when they delete it. */
    was: z.object({ conversation: conversationSchema, beginning: z.string().max(300) }).optional(),
  }),
  /**
   * Moves one message, it and the later ones of its topic, or the whole topic. Renaming and resolving a topic are
   * moves too.
   */
  'move-messages': z.object({
    messageId: messageIdSchema,
    which: z.enum(['one', 'later', 'all']),
    from: movePlace,
    to: movePlace,
    /**
     * Some of the topic's messages are too old to be moved, so the server refused it: the first that can be moved, and
     * how many can; filled in by the outbox.
     */
    movable: z.object({ messageId: messageIdSchema, count: z.int().positive() }).optional(),
  }),
  react: z.object({ messageId: messageIdSchema, emoji: emojiSchema, on: z.boolean() }),
  'star-message': z.object({
    messageIds: messageIdsSchema,
    on: z.boolean(),
    /** Removed stars are put back with the times that they had. */
    restores: z.boolean().optional(),
  }),
  'collapse-message': z.object({ messageIds: messageIdsSchema, on: z.boolean() }),
  'mark-read': z.object({ messageIds: messageIdsSchema }),
  'mark-unread': z.object({ messageIds: messageIdsSchema }),
  /** Everything unread in the narrow, up to the newest message this device knows. */
  'mark-narrow-read': z.object({ narrow: narrowSchema, upTo: messageIdSchema }),
  'set-topic-visibility': z.object({
    channelId: channelIdSchema,
    topic: z.string().max(1_000),
    visibility: z.enum(topicVisibilities),
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
  /** Schedules a message for a moment (epoch milliseconds) and ends its draft. */
  'schedule-message': z.object({
    conversation: conversationSchema,
    content: writtenText.min(1),
    draftId: draftIdSchema.nullable(),
    sendAt: z.int().min(0),
    newestKnown,
  }),
  'cancel-scheduled': z.object({
    scheduledId: z.int(),
    /** What it was, and the newest message known then; filled in by the outbox. */
    was: z
      .object({
        conversation: conversationSchema,
        content: writtenText,
        due,
        newestKnown: z.int().min(0),
        /** What the server may have instead, because the edits before the cancellation wait. */
        orBefore: z.array(z.object({ content: writtenText, due })).optional(),
        whole: asCached,
      })
      .optional(),
  }),
  /** Changes a scheduled message: new text or another moment (epoch milliseconds); null leaves either as it is. */
  'edit-scheduled': z.object({
    scheduledId: z.int(),
    /** Its destination, which does not change. */
    conversation: conversationSchema,
    content: writtenText.min(1).nullable(),
    sendAt: z.union([z.int().min(0), z.literal('now')]).nullable(),
    /** Its text as it was shown, and the newest message known then; filled in by the outbox. */
    was: z.object({ content: writtenText, due, newestKnown: z.int().min(0) }).optional(),
  }),
  /** Saves a snippet. */
  'save-snippet': z.object({
    title: z.string().min(1).max(60),
    content: writtenText.min(1),
    newestKnown,
  }),
  /** Changes the title and text of a snippet. */
  'change-snippet': z.object({
    snippetId: z.int(),
    title: z.string().min(1).max(60),
    content: writtenText.min(1),
  }),
  /** `title` is shown while the deletion waits. */
  'delete-snippet': z.object({
    snippetId: z.int(),
    title: z.string().max(200),
    was: asCached,
  }),
  /** A step in a poll or a to-do list: a vote, an option, a task, a tick. */
  'widget-step': z.object({
    messageId: messageIdSchema,
    step: z.discriminatedUnion('type', [
      z.object({ type: z.literal('vote'), key: z.string().max(200), vote: z.literal([1, -1]) }),
      /** Only the author of the message may change the question of a poll or the name of a list. */
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
      /** The wire knows only "toggle"; the wanted state (`on`) makes it safe to repeat. */
      z.object({ type: z.literal('strike'), key: z.string().max(200), on: z.boolean() }),
    ]),
  }),
  /** Reports a message to the moderators. */
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
    newestKnown,
  }),
  /** Changes the time or note of a reminder; without a time, the reminder is deleted. */
  'change-reminder': z.object({
    reminderId: z.int(),
    messageId: messageIdSchema,
    at: z.int().positive().nullable(),
    note: reminderNote,
    /** When it was to come, epoch milliseconds, as the device showed it; noted when it is changed. */
    shownAt: z.int().positive().optional(),
    was: asCached,
    /** The change that waited when the reminder was deleted: what is left of both if the deletion is undone. */
    instead: z.object({ at: z.int().positive(), note: reminderNote }).optional(),
  }),
  /** Mutes a person: hides what they write, and their notifications. */
  'mute-person': z.object({ userId: userIdSchema, on: z.boolean() }),
  /** Adds or removes an alert word; case does not matter. */
  'set-alert-word': z.object({
    word: z
      .string()
      .trim()
      .min(1)
      .refine((word) => [...word].length <= longestAlertWord),
    on: z.boolean(),
  }),
  /** Sets the status beside one's own name; empty text and no emoji clear it. */
  'set-status': z.object({ text: z.string().trim().max(60), emoji: emojiSchema.nullable() }),
  /** Changes one's own name, which others see. */
  'set-own-name': z.object({ fullName: z.string().trim().min(1).max(longestName) }),
  /** Fills in one of one's own profile fields: a text, or people for a field that names people. Empty clears it. */
  'set-profile-field': z.object({
    fieldId: z.int(),
    value: z.union([
      z
        .string()
        .trim()
        .refine((text) => [...text].length <= longestProfileText),
      z.array(userIdSchema).max(1_000).readonly(),
    ]),
  }),
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

/** What can be changed of an action that the server does not have yet, where it waits. */
export const waitingChangeSchema = z.discriminatedUnion('name', [
  actions['schedule-message']
    .pick({ content: true, sendAt: true })
    .extend({ name: z.literal('schedule-message') }),
  actions['save-snippet'].pick({ title: true, content: true }).extend({ name: z.literal('save-snippet') }),
  actions['remind-me'].pick({ at: true, note: true }).extend({ name: z.literal('remind-me') }),
])
export type WaitingChange = z.output<typeof waitingChangeSchema>

export type ActionName = keyof typeof actions
/** An action as a window sends it. */
export type ActionInput = { [N in ActionName]: { name: N } & z.input<(typeof actions)[N]> }[ActionName]
/** An action after validation. */
export type Action = { [N in ActionName]: { name: N } & z.output<(typeof actions)[N]> }[ActionName]
/** The action with that name. */
export type ActionOf<N extends ActionName> = Extract<Action, { name: N }>

const isActionName = (name: unknown): name is ActionName =>
  typeof name === 'string' && Object.hasOwn(actions, name)

/** Validates any action, both when it arrives from a window and when it is read from disk. */
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
