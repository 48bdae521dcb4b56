import type { Server } from 'node:http'

/**
 * Closes a server and all its connections. In this order: a connection that sends no request and is opened between the two
 * steps would otherwise keep the server, and so the process of a test, open for ever.
 */
export function closeServer(server: Pick<Server, 'close' | 'closeAllConnections'>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
