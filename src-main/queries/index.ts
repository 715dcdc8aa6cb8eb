import type { CheckedParamsOf, QueryName, ResultOf } from '../../src-shared/bridge/queries.ts'
import { messageId } from '../../src-shared/ids.ts'
import type { FileHealth } from '../../src-shared/model/diagnostics.ts'
import { versionsOf } from '../store/draft-versions.ts'
import { unsavedEdits } from '../store/unsaved-edits.ts'
import { markedInNarrow, unreadInNarrow } from '../store/unread.ts'
import { accountSettings, settings } from './account-settings.ts'
import { channelKept, channelList, channelPeople, channelSettings } from './channel-settings.ts'
import { channel, channels, channelTopics } from './channels.ts'
import { composeFacts } from './compose-facts.ts'
import { diagnostics } from './diagnostics.ts'
import { directRefusal } from './direct-refusal.ts'
import { conversationDrafts, draft, drafts, draftsInConflict, type ConflictPieces } from './drafts.ts'
import { endedDrafts } from './ended-drafts.ts'
import { emoji } from './emoji.ts'
import { feed } from './feed.ts'
import { inbox } from './inbox.ts'
import { jumpTargets } from './jump-targets.ts'
import type { QueryContext } from './context.ts'
import { linksOfTopic } from './own-words.ts'
import { outbox } from './outbox.ts'
import { alertWords, chosenTopics, mutedPeople } from './own-lists.ts'
import { directPeople, editing, frequentPeople, people, typing } from './people.ts'
import { groups, lists } from './lists.ts'
import { permissions } from './permissions.ts'
import { groupProfile } from './group-profile.ts'
import { ownProfile } from './own-profile.ts'
import { profile } from './profile.ts'
import { recentConversations } from './recent-conversations.ts'
import { reactorsOf } from './reaction-groups.ts'
import { reminders } from './reminders.ts'
import { scheduled } from './scheduled.ts'
import { findInFeed } from './find.ts'
import { search, searchInside, starred } from './search.ts'
import { searchFacets } from './search-facets.ts'
import { storage } from './storage.ts'
import { directList, openDirect, sidebar } from './sidebar.ts'
import { topicList } from './topic-list.ts'
import { snippets, suggestions } from './suggestions.ts'

/** Queries that are answered from an account's file alone. */
export type AccountQueryName = Exclude<
  QueryName,
  'accounts' | 'notices' | 'open-request' | 'device-settings' | 'sync-state' | 'files'
>

/** What some queries need that is not in the file. */
export interface AccountQueryContext extends QueryContext {
  readonly piecesOf: ConflictPieces
  readonly fileHealth: () => FileHealth
}

/** Every query of an account, by name; a missing one does not compile. */
export const accountQueries: {
  readonly [N in AccountQueryName]: (context: AccountQueryContext, params: CheckedParamsOf<N>) => ResultOf<N>
} = {
  'account-settings': accountSettings,
  settings,
  storage,
  sidebar: (context, { first }) => sidebar(context, first),
  'direct-conversations': (context, { limit }) => directList(context, limit),
  'open-direct': (context, { userIds }) => openDirect(context, userIds),
  'channel-topics': channelTopics,
  channel: (context, { channelId }) => channel(context, channelId),
  channels,
  'channel-list': channelList,
  'channel-settings': (context, { channelId }) => channelSettings(context, channelId),
  'channel-people': channelPeople,
  'channel-kept': (context, { channelId }) => channelKept(context, channelId),
  people,
  'topic-links': (context, { topic }) => linksOfTopic(context, topic),
  'frequent-people': (context, { limit }) => frequentPeople(context, limit),
  'direct-people': (context, { userIds }) => directPeople(context, userIds),
  'direct-refusal': (context, { userIds }) => directRefusal(context, userIds),
  profile: (context, { userId }) => profile(context, userId),
  'own-profile': ownProfile,
  'group-profile': (context, { groupId }) => groupProfile(context, groupId),
  groups,
  lists,
  'alert-words': alertWords,
  'muted-people': mutedPeople,
  'chosen-topics': chosenTopics,
  permissions: (context, { narrow }) => permissions(context, narrow),
  typing: (context, { narrow }) => typing(context, narrow),
  editing,
  emoji,
  feed,
  reactors: (context, { messageId: id }) => reactorsOf(context, id),
  inbox: (context, { filter, first }) => inbox(context, filter, first),
  'unread-ids': ({ db }, { narrow, upTo }) => unreadInNarrow(db, narrow, upTo).map(messageId),
  'marked-ids': ({ db }, { narrow, mark }) => markedInNarrow(db, narrow, mark).map(messageId),
  'recent-conversations': recentConversations,
  'topic-list': topicList,
  search: (context, { text, limit }) => search(context, text, limit),
  'search-inside': (context, { text, limit }) => searchInside(context, text, limit),
  'search-facets': (context, { text }) => searchFacets(context, text),
  'find-in-feed': (context, { narrow, text }) => findInFeed(context, narrow, text),
  'jump-targets': jumpTargets,
  suggestions: (context, { request, limit }) => suggestions(context, request, limit),
  'compose-facts': composeFacts,
  scheduled,
  reminders,
  starred: (context, { limit }) => starred(context, limit),
  snippets: ({ db }) => snippets(db),
  drafts: (context) => drafts(context, context.piecesOf),
  'drafts-in-conflict': draftsInConflict,
  draft: (context, { draftId }) => draft(context, draftId, context.piecesOf),
  'conversation-draft': (context, { conversation }) =>
    conversationDrafts(context, conversation, context.piecesOf)[0] ?? null,
  'conversation-drafts': (context, { conversation }) =>
    conversationDrafts(context, conversation, context.piecesOf),
  'draft-versions': ({ db }, { draftId }) => versionsOf(db, draftId),
  'ended-drafts': endedDrafts,
  'unsaved-edits': ({ db }) => unsavedEdits(db),
  outbox,
  diagnostics,
}
