// Libraries that store messages too. Only `npm run bench -- --peers` installs them, beside the project's own
// packages. Each is used as its documentation recommends for this job: messages are applied as they arrive, and a
// conversation is opened at its end.
import { join } from 'node:path'

/** Ids as text that sorts like the numbers. */
const padded = (id) => String(id).padStart(12, '0')

/** RxDB over its in-memory storage, with an index of conversation and id. */
async function rxdb() {
  const { createRxDatabase } = await import('rxdb/plugins/core')
  const { getRxStorageMemory } = await import('rxdb/plugins/storage-memory')
  const database = await createRxDatabase({
    name: 'messages',
    storage: getRxStorageMemory(),
    multiInstance: false,
    eventReduce: true,
  })
  const text = { type: 'string' }
  const key = { type: 'string', maxLength: 100 }
  const { messages } = await database.addCollections({
    messages: {
      schema: {
        version: 0,
        primaryKey: 'id',
        type: 'object',
        properties: {
          id: { type: 'string', maxLength: 12 },
          conversation: key,
          senderId: { type: 'number' },
          senderName: text,
          sentAt: { type: 'number' },
          contentHtml: text,
          isRead: { type: 'boolean' },
        },
        required: ['id', 'conversation'],
        indexes: [['conversation', 'id']],
      },
    },
  })
  const document = ({ id, ...rest }) => ({ id: padded(id), ...rest })
  return {
    name: 'RxDB, in memory',
    fill: (all) => messages.bulkInsert(all.map(document)),
    put: (message) => messages.insert(document(message)),
    async open(conversation) {
      const found = await messages
        .find({ selector: { conversation }, sort: [{ conversation: 'desc' }, { id: 'desc' }], limit: 50 })
        .exec()
      return found.map((one) => one.toJSON())
    },
    idOf: ({ id }) => Number(id),
    close: () => database.close(),
  }
}

/**
 * PouchDB over LevelDB: messages by their ids, as events name them, and an index of conversations from its own plugin.
 * The plugin fills several times as fast as a view, whose function is compiled anew for each message. It updates an
 * index at query time, so a message counts as applied only after that: before, opening a conversation would have to
 * wait for it.
 */
async function pouchdb(directory) {
  const [{ default: PouchDB }, { default: find }] = await Promise.all([
    import('pouchdb'),
    import('pouchdb-find'),
  ])
  PouchDB.plugin(find)
  // Its default is fifty changes at a time, which makes filling slower.
  const database = new PouchDB(join(directory, 'pouchdb'), { view_update_changes_batch_size: 1_000 })
  const index = 'by-conversation'
  await database.createIndex({ index: { fields: ['conversation', '_id'], ddoc: index, name: index } })
  const document = ({ id, ...rest }) => ({ _id: padded(id), ...rest })
  const found = async (selector, direction, limit) => {
    const sort = [{ conversation: direction }, { _id: direction }]
    const { docs } = await database.find({ selector, sort, limit, use_index: [index, index] })
    return docs
  }
  const indexed = () => found({ conversation: 'none' }, 'asc', 1)
  return {
    name: 'PouchDB, on the disk',
    async fill(all) {
      for (let at = 0; at < all.length; at += 1_000)
        await database.bulkDocs(all.slice(at, at + 1_000).map(document))
      await indexed()
    },
    async put(message) {
      await database.put(document(message))
      await indexed()
    },
    open: (conversation) => found({ conversation }, 'desc', 50),
    async openAround(conversation, id) {
      const [older, newer] = await Promise.all([
        // With $lt the limit counts the excluded one too.
        found({ conversation, _id: { $lte: padded(id - 1) } }, 'desc', 25),
        found({ conversation, _id: { $gte: padded(id) } }, 'asc', 25),
      ])
      return [...older.reverse(), ...newer]
    },
    idOf: ({ _id }) => Number(_id),
    close: () => database.close(),
  }
}

/**
 * TinyBase with its persister for better-sqlite3, one row per message. It holds all messages in memory too, and writes
 * each change to the file, which has the same journal mode as Dunlin's. At its start, the persister writes all content
 * in a single statement, which SQLite refuses beyond a few thousand messages; so a new store starts empty. Opening a
 * filled file reads everything and writes nothing.
 */
async function tinybase(directory, isFilled = false) {
  const [{ createIndexes, createStore }, { createBetterSqlite3Persister }, { default: Sqlite }] =
    await Promise.all([
      import('tinybase'),
      import('tinybase/persisters/persister-better-sqlite3'),
      import('better-sqlite3'),
    ])
  const file = new Sqlite(join(directory, 'tinybase.db'))
  file.pragma('journal_mode = WAL')
  file.pragma('synchronous = NORMAL')
  const store = createStore()
  const index = 'by-conversation'
  const indexes = createIndexes(store)
  indexes.setIndexDefinition(index, 'messages', 'conversation', (_getCell, rowId) => Number(rowId))
  let failure = null
  const persister = createBetterSqlite3Persister(
    store,
    file,
    { mode: 'tabular', tables: { load: { messages: 'messages' }, save: { messages: 'messages' } } },
    undefined,
    // Otherwise nobody would hear of it.
    (error) => (failure ??= error),
  )
  // A scheduled action runs after all pending writes.
  const written = async () => {
    await persister.schedule(async () => {})
    if (failure !== null) throw failure
  }
  await (isFilled ? persister.load() : persister.startAutoSave())
  await written()
  const set = ({ id, ...rest }) => store.setRow('messages', String(id), rest)
  const rows = (ids) => ids.map((id) => ({ id, ...store.getRow('messages', id) }))
  return {
    name: 'TinyBase + SQLite, in memory and on the disk',
    async fill(all) {
      for (let at = 0; at < all.length; at += 1_000) {
        store.transaction(() => all.slice(at, at + 1_000).forEach(set))
        await written()
      }
    },
    put(message) {
      set(message)
      return written()
    },
    open: (conversation) => rows(indexes.getSliceRowIds(index, conversation).slice(-50).reverse()),
    openAround(conversation, id) {
      const ids = indexes.getSliceRowIds(index, conversation)
      const at = ids.indexOf(String(id))
      return rows(ids.slice(Math.max(0, at - 25), at + 25))
    },
    idOf: ({ id }) => Number(id),
    async close() {
      await persister.destroy()
      file.close()
    },
  }
}

/** matrix-js-sdk with its in-memory store: a conversation is a room, a message an event at its live end. */
async function matrix() {
  const { createClient, MatrixEvent, MemoryStore, Room } = await import('matrix-js-sdk')
  const { logger } = await import('matrix-js-sdk/lib/logger.js')
  logger.setLevel?.('error')
  const store = new MemoryStore()
  const client = createClient({ baseUrl: 'http://127.0.0.1:9', userId: '@1:example.org', store })
  const rooms = new Map()
  const roomOf = (conversation) => {
    let room = rooms.get(conversation)
    if (room === undefined) {
      room = new Room(`!${conversation}:example.org`, client, '@1:example.org')
      rooms.set(conversation, room)
      store.storeRoom(room)
    }
    return room
  }
  const put = ({ id, conversation, senderId, sentAt, contentHtml }) => {
    const room = roomOf(conversation)
    const event = new MatrixEvent({
      type: 'm.room.message',
      event_id: `$${id}`,
      room_id: room.roomId,
      sender: `@${senderId}:example.org`,
      origin_server_ts: sentAt,
      content: {
        msgtype: 'm.text',
        body: contentHtml,
        format: 'org.matrix.custom.html',
        formatted_body: contentHtml,
      },
    })
    return room.addLiveEvents([event], { addToState: false })
  }
  return {
    name: 'matrix-js-sdk, in memory',
    async fill(all) {
      for (const message of all) await put(message)
    },
    put,
    open: (conversation) =>
      roomOf(conversation)
        .getLiveTimeline()
        .getEvents()
        .slice(-50)
        .reverse()
        .map((event) => ({
          id: event.getId(),
          sender: event.getSender(),
          sentAt: event.getTs(),
          content: event.getContent(),
        })),
    idOf: ({ id }) => Number(id.slice(1)),
    close() {
      client.stopClient()
    },
  }
}

/** The reducers and selectors of mattermost-redux: a conversation is a channel. */
async function mattermost() {
  // CommonJS; Node does not detect all of its exports by name.
  const plain = (module) => module.default?.default ?? module.default
  const [{ combineReducers, createStore }, reducers, actions, selectors] = await Promise.all([
    import('redux'),
    import('mattermost-redux/reducers/entities'),
    import('mattermost-redux/actions/posts'),
    import('mattermost-redux/selectors/entities/posts'),
  ])
  const store = createStore(combineReducers({ entities: plain(reducers) }))
  const post = ({ id, conversation, senderId, sentAt, contentHtml }) => ({
    id: padded(id),
    channel_id: conversation,
    user_id: String(senderId),
    create_at: sentAt,
    update_at: sentAt,
    edit_at: 0,
    delete_at: 0,
    is_pinned: false,
    message: contentHtml,
    root_id: '',
    original_id: '',
    type: '',
    props: {},
    hashtags: '',
    pending_post_id: '',
    reply_count: 0,
    metadata: {},
  })
  return {
    name: 'mattermost-redux, in memory',
    // The reducers copy all posts for each action, so all posts come with the first one, and their order per channel.
    fill(all) {
      const posts = Object.fromEntries(all.map((message) => [padded(message.id), post(message)]))
      store.dispatch(actions.receivedPosts({ order: [], posts }))
      for (const [conversation, messages] of Map.groupBy(all, (one) => one.conversation)) {
        const order = messages.map(({ id }) => padded(id)).reverse()
        store.dispatch(actions.receivedPostsInChannel({ order, posts: {} }, conversation, true, true))
      }
    },
    put: (message) => store.dispatch(actions.receivedNewPost(post(message), false)),
    open(conversation) {
      const state = store.getState()
      const ids = selectors.getPostIdsInChannel(state, conversation) ?? []
      return ids.slice(0, 50).map((id) => selectors.getPost(state, id))
    },
    idOf: ({ id }) => Number(id),
    close() {},
  }
}

/** The libraries that store on disk. Each opens its own store in a directory, empty or as it was closed there. */
export const storesOnDisk = [pouchdb, tinybase]

/** All of them, empty. Data on disk goes into `directory`. */
export async function messageStores(directory) {
  return [
    await rxdb(),
    await pouchdb(directory),
    await tinybase(directory),
    await matrix(),
    await mattermost(),
  ]
}
