import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** A domain whose addresses may join, if the organization restricts the domains. */
const apiDomain = z.looseObject({ domain: z.string(), allow_subdomains: z.boolean() })

/** The domains of the organization. */
export const domains = {
  getDomains: endpoint({
    method: 'GET',
    path: '/realm/domains',
    input: z.object({}),
    output: z.looseObject({ domains: z.array(apiDomain) }),
  }),
  addDomain: endpoint({
    method: 'POST',
    path: '/realm/domains',
    input: z.object({ domain: z.string(), allow_subdomains: z.boolean() }),
    output: z.looseObject({}),
  }),
  editDomain: endpoint({
    method: 'PATCH',
    path: '/realm/domains/{domain}',
    input: z.object({ domain: z.string(), allow_subdomains: z.boolean() }),
    output: z.looseObject({}),
  }),
  removeDomain: endpoint({
    method: 'DELETE',
    path: '/realm/domains/{domain}',
    input: z.object({ domain: z.string() }),
    output: z.looseObject({}),
  }),
}
