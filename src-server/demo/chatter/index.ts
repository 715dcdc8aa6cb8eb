import { birdsAndBoat } from './birds-and-boat.ts'
import { desk } from './desk.ts'
import { fieldwork } from './fieldwork.ts'
import { house } from './house.ts'
import type { Subject } from './subject.ts'

export { chatter, freshTalk, type ChatterLine } from './chatter.ts'

/** All subjects of the long history. */
export const subjects: readonly Subject[] = [...fieldwork, ...birdsAndBoat, ...desk, ...house]
