import type { FastifyInstance } from 'fastify'
import { ServiceError } from './service-error.ts'

const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/**
 * Refuses what other websites make a browser on this machine send to the service, which listens on the loopback
 * interface only:
 *
 * 1. requests under another name than one of this machine or one that the operator allows, because any website can let
 *    its name lead to this machine, and could then read the answers;
 * 2. requests without credentials that change something and come from a page of another server, such as attempts to
 *    sign in.
 */
export function refuseForeignRequests(server: FastifyInstance, allowedHosts: readonly string[]): void {
  const allowed = new Set(allowedHosts.map((name) => name.toLowerCase()))
  const isOurs = (name: string) => loopback.test(name) || allowed.has(name.toLowerCase())
  server.addHook('onRequest', (request, _reply, done) => {
    const { origin, authorization, host } = request.headers
    const isOwnPage = () => {
      const page = URL.parse(origin ?? '')
      return page !== null && (page.host === host || allowed.has(page.hostname))
    }
    if (!isOurs(request.hostname)) done(refused(`This service does not answer as ${request.hostname}.`))
    else if (
      origin !== undefined &&
      authorization === undefined &&
      !isReading(request.method) &&
      !isOwnPage()
    )
      done(refused('This request comes from a page of another server.'))
    else done()
  })
}

const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD'

const refused = (message: string) => new ServiceError('BAD_REQUEST', message, {}, 403)
