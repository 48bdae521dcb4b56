// Resets a connection, as a crash of one side does.
import type { Socket } from 'node:net'

export function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}
