import type { TabMessage } from './session-watch.ts'

const NAME = 'portal.session'

/** The other tabs of this browser; a browser without channels has tabs on their own. */
export function openTabChannel(hear: (message: TabMessage) => void) {
  if (typeof BroadcastChannel === 'undefined') return { tell: () => {}, close: () => {} }
  const channel = new BroadcastChannel(NAME)
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => hear(data)
  return {
    tell: (message: TabMessage) => channel.postMessage(message),
    close: () => channel.close()
  }
}

/** Says one thing to the other tabs. */
export function tellTabs(message: TabMessage): void {
  const channel = openTabChannel(() => {})
  channel.tell(message)
  channel.close()
}
