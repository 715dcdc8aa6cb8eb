import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { api, type EndpointName } from '../../src-shared/api/index.ts'
import { askers, channelRules, kinds, type Asker } from '../server/permissions/channel-rules.ts'
import { organizationRules, withoutRule } from '../server/permissions/organization-rules.ts'
import { ownRules } from '../server/permissions/own-rules.ts'
import { peopleRules } from '../server/permissions/people-rules.ts'

const outsideChannels = [...ownRules, ...peopleRules, ...organizationRules]
const page = join(resolve(import.meta.dirname, '../..'), 'docs/permissions.md')

const heads: Readonly<Record<Asker, string>> = {
  owner: 'owner',
  administrator: 'administrator',
  moderator: 'moderator',
  member: 'member',
  guest: 'guest',
  bot: 'bot',
  nobody: 'no account',
}
const mark = (may: boolean): string => (may ? '✓' : '–')
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const header = (...cells: readonly string[]): string[] => [line(cells), line(cells.map(() => '---'))]
const titles = askers.map((asker) => heads[asker])

const paths = (endpoints: readonly EndpointName[]): string =>
  [...new Set(endpoints.map((name) => `\`${api[name].method} ${api[name].path}\``))].join(', ')

const channelTable = (): string[] => [
  ...header('what', 'channel', ...titles),
  ...channelRules.flatMap(({ what, endpoints, allowed }) =>
    kinds.map((kind, index) =>
      line([
        index === 0 ? `${what}: ${paths(endpoints)}` : '',
        kind,
        ...askers.map((asker) => {
          const isInside = allowed[kind].inside.includes(asker)
          const isOutside = allowed[kind].outside.includes(asker)
          // Without an account nobody is in a channel.
          return asker === 'nobody' ? mark(isOutside) : `${mark(isInside)} ${mark(isOutside)}`
        }),
      ]),
    ),
  ),
]

const organizationTable = (): string[] => [
  ...header('what', ...titles),
  ...outsideChannels.map(({ what, endpoints, allowed }) =>
    line([`${what}: ${paths(endpoints)}`, ...askers.map((asker) => mark(allowed.includes(asker)))]),
  ),
]

test('docs/permissions.md shows exactly what the tests of permissions ask', async () => {
  const wanted = [
    '# Who may do what',
    '',
    'What the service answers where the organization has chosen nothing else. Each mark is asked over HTTP by',
    '`tests/server/permissions`. Written by `npm run conformance`; do not edit by hand.',
    '',
    'The rules themselves are in `src-server/permissions`: roles, user groups, the permissions of the organization, of',
    'a channel and of a group, and what follows from them. Whoever holds a permission by a group holds it as well by',
    'groups within that group.',
    '',
    '## In a channel',
    '',
    'The first mark is for people who are subscribed, the second for those who are not. Nobody here has a right in the',
    'channel beyond their role. The bot is a member’s, who stands in or out of the channel as the bot does. A channel',
    'that somebody may not know of is refused exactly as one that is not there.',
    '',
    ...channelTable(),
    '',
    '## In the organization',
    '',
    ...organizationTable(),
    '',
    '## Not in the tables',
    '',
    ...header('endpoint', 'why'),
    // The keys of the table are endpoints.
    ...Object.entries(withoutRule).map(([name, why]) => line([paths([name as EndpointName]), why])),
    '',
  ].join('\n')
  await expect(wanted).toMatchFileSnapshot(page, 'docs/permissions.md is stale: npm run conformance')
})
