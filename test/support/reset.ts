// Resets a connection, as a crash of one side does.
import type { Socket } from 'node:net'

/** One that is ending already is only closed: Node would keep the handle of its reset, and with it the process, for ever. */
export function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}
