import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** A place that a person has pinned to the navigation, or a built-in one that they have hidden. */
const apiNavigationView = z.looseObject({
  /** The part after the `#` in an address of the app. */
  fragment: z.string(),
  is_pinned: z.boolean(),
  /** Null for a built-in view. */
  name: z.string().nullable(),
})
export type ApiNavigationView = z.output<typeof apiNavigationView>

/** The views in the navigation, which each person chooses for themselves. */
export const navigationViews = {
  getNavigationViews: endpoint({
    method: 'GET',
    path: '/navigation_views',
    since: 390,
    input: z.object({}),
    output: z.looseObject({ navigation_views: z.array(apiNavigationView) }),
  }),
  addNavigationView: endpoint({
    method: 'POST',
    path: '/navigation_views',
    since: 390,
    input: z.object({ fragment: z.string(), is_pinned: z.boolean(), name: z.string().optional() }),
    output: z.looseObject({}),
  }),
  editNavigationView: endpoint({
    method: 'PATCH',
    path: '/navigation_views/{fragment*}',
    since: 390,
    input: z.object({
      fragment: z.string(),
      is_pinned: z.boolean().optional(),
      name: z.string().optional(),
    }),
    output: z.looseObject({}),
  }),
  removeNavigationView: endpoint({
    method: 'DELETE',
    path: '/navigation_views/{fragment*}',
    since: 390,
    input: z.object({ fragment: z.string() }),
    output: z.looseObject({}),
  }),
}
