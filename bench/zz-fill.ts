import { createCheckpoints } from '../src-shared/sqlite/checkpoints.ts'
import { putChannel } from '../src-main/store/channels.ts'
import { openStore } from '../src-main/store/database.ts'
import { addRange } from '../src-main/store/ranges.ts'
import { putUser } from '../src-main/store/users.ts'
import { fill, gather } from './engine-filling.ts'
import { plainChannel, plainUser, sizeOf, withRareWords, workload } from './workload.ts'
const messages = 1_000_000, size = sizeOf(messages), path = '/tmp/zz/account.db'
const checkpoints = createCheckpoints(console.log)
const filled = openStore(path, () => {}, { checkpoints })
filled.write((db) => {
  for (let id = 1; id <= size.users; id++) putUser(db, plainUser(id))
  for (let id = 1; id <= size.channels; id++) putChannel(db, { ...plainChannel(id), isSubscribed: id <= 200 })
})
fill(filled, path, withRareWords(workload(size)))
filled.write((db) => addRange(db, 'combined', { oldestId: 1, newestId: messages, reachesBeginning: true, isLive: true }))
filled.close()
gather(path)
checkpoints.close()
