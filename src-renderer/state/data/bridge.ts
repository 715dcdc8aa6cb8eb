import { getContext, setContext } from 'svelte'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'

const key = Symbol('bridge')

export const provideBridge = (bridge: Bridge): Bridge => setContext(key, bridge)
/** The bridge to the engine. Call it only while a component is being created. */
export const useBridge = (): Bridge => getContext(key)
