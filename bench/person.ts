import { createConnection, type Connection } from '../src-main/api/connection.ts'

/** Whoever asks the servers of the benchmarks, which believe everybody. */
export const credentials = { email: 'p1@example.org', apiKey: 'a'.repeat(32) }

/** The header with which a bare request says who asks. */
export const authorization = `Basic ${Buffer.from(`${credentials.email}:${credentials.apiKey}`).toString('base64')}`

/** Dunlin's connection to a server of a benchmark, for the same person. */
export const connectTo = (realm: string): Connection =>
  createConnection({ baseUrl: `${realm}/api/v1`, credentials, userAgent: 'Bench/1.0' })
