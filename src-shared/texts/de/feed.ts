import type { feed as en } from '../en/feed.ts'

export const feed: typeof en = {}
