// The browser of a session, as its `User-Agent` names it. Only for display.
import Bowser from 'bowser'

export interface Browser {
  browser: string | null
  system: string | null
}

const READ_CHARACTERS = 512

/** @param userAgent of the request that signs in */
export function browserOf(userAgent: string | undefined): Browser {
  if (!userAgent) return { browser: null, system: null }
  const { browser, os } = Bowser.parse(userAgent.slice(0, READ_CHARACTERS))
  return { browser: browser.name || null, system: os.name || null }
}
