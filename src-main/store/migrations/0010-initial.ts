import type { Migration } from './index.ts'

/**
 * The first schema of an account's file.
 *
 * Cache tables repeat the server and may be emptied at any moment. Own tables hold what only this device knows and are
 * never dropped; `own-tables.ts` lists them, and a test compares. Times are epoch milliseconds; JSON columns hold text.
 */
export const initial: Migration = {
  number: 10,
  up: (run) => {
    run(`
      -- Cache: the queue that events come from, and what the server is. One row.
      CREATE TABLE sync (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        queue_id TEXT,                       -- null: register first
        last_event_id INTEGER NOT NULL DEFAULT -1,
        generation INTEGER NOT NULL DEFAULT 0,  -- rises with each registration
        feature_level INTEGER NOT NULL DEFAULT 0,
        server_version TEXT NOT NULL DEFAULT '',
        longpoll_timeout_ms INTEGER NOT NULL DEFAULT 90000,
        registered_at INTEGER NOT NULL DEFAULT 0,
        heard_at INTEGER                     -- null: never yet
      ) STRICT;
      INSERT INTO sync (id) VALUES (1);

      -- Cache: names and limits of the organization, by the snapshot's field name; JSON.
      CREATE TABLE organization (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

      -- Cache: settings that follow the account, by the specification's name; JSON.
      CREATE TABLE account_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

      CREATE TABLE users (
        user_id INTEGER PRIMARY KEY,
        email TEXT NOT NULL,
        full_name TEXT NOT NULL,
        folded_name TEXT NOT NULL,           -- lower case, for finding
        role INTEGER NOT NULL,
        is_bot INTEGER NOT NULL,
        is_active INTEGER NOT NULL,
        avatar_url TEXT,                     -- null: none known
        timezone TEXT NOT NULL DEFAULT ''
      ) STRICT;
      CREATE INDEX users_by_name ON users (folded_name);

      CREATE TABLE presence (
        user_id INTEGER PRIMARY KEY,
        active_at INTEGER NOT NULL,
        idle_at INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE muted_users (user_id INTEGER PRIMARY KEY, since INTEGER NOT NULL) STRICT;

      CREATE TABLE channel_folders (
        folder_id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        position INTEGER NOT NULL,
        is_archived INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE channels (
        channel_id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        folded_name TEXT NOT NULL,
        description TEXT NOT NULL,
        color TEXT NOT NULL,                 -- the server's, #rrggbb
        is_private INTEGER NOT NULL,
        is_web_public INTEGER NOT NULL,
        is_archived INTEGER NOT NULL,
        has_shared_history INTEGER NOT NULL,
        folder_id INTEGER,                   -- null: in no folder
        topics_policy TEXT NOT NULL DEFAULT 'inherit',
        can_send_group TEXT NOT NULL DEFAULT 'null',  -- JSON group-setting value; null: unknown
        can_post INTEGER NOT NULL DEFAULT 1,
        subscriber_count INTEGER,            -- null: unknown
        first_message_id INTEGER,            -- null: none or unknown
        is_subscribed INTEGER NOT NULL,
        is_muted INTEGER NOT NULL DEFAULT 0,
        is_pinned INTEGER NOT NULL DEFAULT 0,
        desktop_notifications INTEGER,       -- null: as the account's setting says
        audible_notifications INTEGER,
        wildcard_mentions_notify INTEGER
      ) STRICT;
      CREATE INDEX channels_by_name ON channels (folded_name);

      CREATE TABLE subscribers (
        channel_id INTEGER NOT NULL,
        user_id INTEGER NOT NULL,
        PRIMARY KEY (channel_id, user_id)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE topic_visibility (
        channel_id INTEGER NOT NULL,
        topic_key TEXT NOT NULL,             -- the form in which two spellings are equal
        topic TEXT NOT NULL,
        visibility TEXT NOT NULL,            -- muted, unmuted, followed
        PRIMARY KEY (channel_id, topic_key)
      ) STRICT, WITHOUT ROWID;

      -- Cache: one row per topic or set of people. Counters are kept by whoever writes messages and unread rows.
      CREATE TABLE conversations (
        conversation_id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,            -- conversationKey()
        kind TEXT NOT NULL,                  -- topic, direct
        channel_id INTEGER,                  -- topic only
        topic TEXT,                          -- topic only; as last spelled
        user_ids TEXT,                       -- direct only; JSON array without oneself
        newest_message_id INTEGER NOT NULL DEFAULT 0,  -- 0: none known
        unread_count INTEGER NOT NULL DEFAULT 0,
        mention_count INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE INDEX conversations_by_channel ON conversations (channel_id, newest_message_id) WHERE kind = 'topic';
      CREATE INDEX conversations_direct ON conversations (newest_message_id) WHERE kind = 'direct';
      CREATE INDEX conversations_unread ON conversations (newest_message_id) WHERE unread_count > 0;

      CREATE TABLE messages (
        message_id INTEGER PRIMARY KEY,
        conversation_id INTEGER NOT NULL,
        channel_id INTEGER,                  -- null: direct
        sender_id INTEGER NOT NULL,
        sender_name TEXT NOT NULL,           -- for senders who are not in users
        sent_at INTEGER NOT NULL,
        edited_at INTEGER,                   -- null: never
        moved_at INTEGER,                    -- null: never
        content_html TEXT NOT NULL,
        content_markdown TEXT,               -- null: not fetched
        is_me_message INTEGER NOT NULL,
        is_read INTEGER NOT NULL,
        is_starred INTEGER NOT NULL,
        is_mentioned INTEGER NOT NULL,       -- by name, by group or by wildcard
        is_collapsed INTEGER NOT NULL DEFAULT 0,
        generation INTEGER NOT NULL          -- the registration in which the row was last known live
      ) STRICT;
      CREATE INDEX messages_by_conversation ON messages (conversation_id, message_id);
      CREATE INDEX messages_by_channel ON messages (channel_id, message_id) WHERE channel_id IS NOT NULL;
      CREATE INDEX messages_starred ON messages (message_id) WHERE is_starred = 1;
      CREATE INDEX messages_mentioned ON messages (message_id) WHERE is_mentioned = 1;

      -- Cache: one row per unread message, also for those whose text is not here yet.
      CREATE TABLE unread (
        message_id INTEGER PRIMARY KEY,
        conversation_id INTEGER NOT NULL,
        is_mentioned INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX unread_by_conversation ON unread (conversation_id, message_id);

      CREATE TABLE reactions (
        message_id INTEGER NOT NULL,
        emoji_type TEXT NOT NULL,
        emoji_code TEXT NOT NULL,
        emoji_name TEXT NOT NULL,
        user_id INTEGER NOT NULL,
        PRIMARY KEY (message_id, emoji_type, emoji_code, user_id)
      ) STRICT, WITHOUT ROWID;

      -- Cache: words of messages. "filters" holds c<channel> u<sender> v<conversation>, so that a filtered search
      -- stays one look into the index.
      CREATE VIRTUAL TABLE message_words USING fts5 (
        words, filters, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2', prefix='2 3'
      );

      -- Cache: for each narrow, where history is complete on this device.
      CREATE TABLE ranges (
        narrow_key TEXT NOT NULL,
        oldest_id INTEGER NOT NULL,
        newest_id INTEGER NOT NULL,
        reaches_beginning INTEGER NOT NULL,
        is_live INTEGER NOT NULL,            -- events go on from newest_id
        PRIMARY KEY (narrow_key, oldest_id)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE typing (
        conversation_key TEXT NOT NULL,
        user_id INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        PRIMARY KEY (conversation_key, user_id)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE realm_emoji (
        emoji_id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        source_url TEXT NOT NULL,
        still_url TEXT,                      -- null: the picture does not move
        is_deactivated INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      -- Cache: what a server sent that could not be used, with the reason.
      CREATE TABLE set_aside (
        number INTEGER PRIMARY KEY,
        received_at INTEGER NOT NULL,
        what TEXT NOT NULL,
        reason TEXT NOT NULL,
        body TEXT NOT NULL
      ) STRICT;

      -- Own: what a person is still writing. See the diagram in drafts/drafts.ts.
      CREATE TABLE drafts (
        draft_id TEXT PRIMARY KEY,
        server_id INTEGER UNIQUE,            -- null: the server has none
        state TEXT NOT NULL,                 -- edited, saving, synced, unsure, conflict, local-only
        recipient TEXT NOT NULL,             -- JSON conversation or null
        content TEXT NOT NULL,
        base_recipient TEXT,                 -- null: this device and the server never agreed on anything
        base_content TEXT,
        remote_recipient TEXT,               -- conflict only: the other device's version
        remote_content TEXT,
        remote_edited_at INTEGER,
        saving_recipient TEXT,               -- saving and unsure only: what the request holds
        saving_content TEXT,
        created_at INTEGER NOT NULL,
        edited_at INTEGER NOT NULL,
        is_deleted INTEGER NOT NULL DEFAULT 0,  -- deleted here; the row stays until the server knows
        attempts INTEGER NOT NULL DEFAULT 0,
        next_attempt_at INTEGER              -- null: when there is something to do
      ) STRICT;

      -- Own: every accepted version, for 30 days after the draft is sent or deleted.
      CREATE TABLE draft_versions (
        draft_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        recipient TEXT NOT NULL,
        content TEXT NOT NULL,
        saved_at INTEGER NOT NULL,
        origin TEXT NOT NULL,                -- here, elsewhere, merged
        ended_at INTEGER,                    -- null: the draft lives
        PRIMARY KEY (draft_id, number)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX draft_versions_ended ON draft_versions (ended_at) WHERE ended_at IS NOT NULL;

      -- Own: what waits for the server. See the diagram in outbox/outbox.ts.
      CREATE TABLE outbox (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        local_id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        payload TEXT NOT NULL,               -- JSON of the action
        lane TEXT NOT NULL,
        state TEXT NOT NULL,                 -- waiting, sending, unsure, accepted, refused
        conversation_key TEXT,               -- null: belongs to no conversation
        attempts INTEGER NOT NULL DEFAULT 0,
        next_attempt_at INTEGER,             -- null: at once
        created_at INTEGER NOT NULL,
        sent_at INTEGER,                     -- null: never left this device
        reason TEXT,                         -- refused only
        answer TEXT                          -- accepted only: JSON of what the server answered
      ) STRICT;
      CREATE INDEX outbox_by_lane ON outbox (lane, sequence);
      CREATE INDEX outbox_by_conversation ON outbox (conversation_key, sequence);
    `)
  },
}
