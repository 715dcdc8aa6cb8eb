/** A refusal in the specification's terms (Errors). Anything else that is thrown is a fault of the service. */
export class ServiceError extends Error {
  readonly status: number
  readonly code: string
  readonly extra: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, extra: Record<string, unknown> = {}, status = 400) {
    super(message)
    this.name = 'ServiceError'
    this.code = code
    this.extra = extra
    this.status = status
  }
}

/** The generic refusal. */
export const badRequest = (message: string, extra: Record<string, unknown> = {}): ServiceError =>
  new ServiceError('BAD_REQUEST', message, extra)

/** The thing with this id does not exist: the generic code with status 404. */
export const notFound = (message: string): ServiceError => new ServiceError('BAD_REQUEST', message, {}, 404)
