import { expect } from 'vitest'
import { isAble } from '../../../src-shared/model/server-abilities.ts'
import type { World } from './world.ts'

/** Checks that nothing was asked in words that came later than the server's level. */
export function checkForms({ devices, workspace: { featureLevel } }: World): void {
  for (const { path, form } of devices.flatMap(({ requests }) => requests)) {
    const query = new URL(path, 'http://service.test').searchParams
    const narrow = form.get('narrow') ?? query.get('narrow') ?? ''
    if (!isAble(featureLevel, 'channelOperator')) expect(narrow).not.toMatch(/"channels?"/)
    if (!isAble(featureLevel, 'dmOperator')) expect(narrow).not.toMatch(/"dm(-including)?"/)
    if (!isAble(featureLevel, 'messagesById')) expect(query.has('message_ids'), path).toBe(false)
  }
}
