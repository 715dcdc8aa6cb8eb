import type { ActionOf } from '../../src-shared/bridge/actions.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { ReadableDb } from './database.ts'
import { messageInPlace } from './messages.ts'
import { object } from './objects.ts'
import type { OutboxRow } from './outbox.ts'
import { isTypedField } from './profile-fields.ts'

/** What a person typed for a change. */
export interface TypedWords {
  /** All of it, with which the person can go on as a draft. Never empty. */
  readonly content: string
  /** What the change's title does not show; null if it shows everything. */
  readonly beyondTitle: string | null
  /** Where it belongs; null if that is gone or no conversation. */
  readonly conversation: Conversation | null
}

/** What was typed for a change; null if nothing was. */
export function typedWords(db: ReadableDb, row: OutboxRow): TypedWords | null {
  const { action, state } = row
  switch (action?.name) {
    case 'send-message':
    case 'schedule-message':
      return titled(action.content, action.conversation)
    case 'edit-message':
      return titled(action.content, messageInPlace(db, action.messageId)?.conversation)
    case 'edit-scheduled': {
      // A refused change of a scheduled message that is gone has the text of that message.
      const isGone = state === 'refused' && object(db, 'scheduled-message', action.scheduledId) === undefined
      return titled(action.content ?? (isGone ? (action.was?.content ?? '') : ''), action.conversation)
    }
    case 'save-snippet':
    case 'change-snippet':
      return named(action.title, action.content)
    case 'create-channel':
      return named(action.channelName, action.description)
    case 'create-folder':
      return named(action.folderName, action.description)
    case 'create-group':
      return named(action.groupName, action.description)
    case 'set-profile-field':
      return untitled(
        typeof action.value === 'string' && isTypedField(db, action.fieldId) ? action.value : '',
      )
    case 'widget-step':
      return untitled(typedInStep(action.step))
    case 'report-message':
      return untitled(action.words)
    case 'remind-me':
    case 'change-reminder':
      return titled(action.note)
    case 'set-status':
      return untitled(action.text)
    case 'change-channel':
    case 'change-group':
    case 'change-folder':
      return untitled(
        action.property === 'description' && typeof action.value === 'string' ? action.value : '',
      )
    default:
      return null
  }
}

/** The title is the beginning of it. */
const titled = (content: string, conversation: Conversation | null = null): TypedWords | null =>
  content === '' ? null : { content, beyondTitle: null, conversation }

/** The title does not show it. */
const untitled = (content: string): TypedWords | null =>
  content === '' ? null : { content, beyondTitle: content, conversation: null }

/** The title shows the name. */
const named = (name: string, rest: string): TypedWords => ({
  content: rest === '' ? name : `${name}\n\n${rest}`,
  beyondTitle: rest || null,
  conversation: null,
})

/** What the person typed for a poll or a to-do list; empty if nothing. */
function typedInStep(step: ActionOf<'widget-step'>['step']): string {
  switch (step.type) {
    case 'question':
      return step.question
    case 'new_task_list_title':
      return step.title
    case 'new_option':
      return step.option
    case 'new_task':
      return step.desc === '' ? step.task : `${step.task}\n\n${step.desc}`
    default:
      return ''
  }
}
