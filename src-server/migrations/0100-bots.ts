/** The additional properties of bots. */
export const bots = `
  CREATE TABLE bots (
    user_id INTEGER PRIMARY KEY, default_sending_channel INTEGER, default_events_channel INTEGER,
    hears_all_public INTEGER NOT NULL DEFAULT 0, config_data TEXT NOT NULL DEFAULT '{}',
    -- Of an outgoing webhook alone.
    payload_url TEXT, interface INTEGER, token TEXT, service_name TEXT
  ) STRICT;
  CREATE INDEX users_by_owner ON users (bot_owner_id) WHERE bot_owner_id IS NOT NULL;

  -- Outgoing webhooks that are still to be sent; written with the message that triggers them.
  CREATE TABLE webhook_jobs (
    job_id INTEGER PRIMARY KEY AUTOINCREMENT, bot_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
    reason TEXT NOT NULL,                  -- direct_message or mention
    attempts INTEGER NOT NULL DEFAULT 0, due_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX webhook_jobs_due ON webhook_jobs (due_ms);
  CREATE INDEX webhook_jobs_by_message ON webhook_jobs (message_id);
`
