// The browser of a session: as its `User-Agent` names it, and the network of its address. Only for display.
import { isIPv4, isIPv6 } from 'node:net'
import Bowser from 'bowser'

export interface Browser {
  browser: string | null
  system: string | null
  /** See `networkOf`. Missing in older records. */
  network?: string | null
}

const READ_CHARACTERS = 512

/** @param userAgent of the request that signs in */
export function browserOf(userAgent: string | undefined): Browser {
  if (!userAgent) return { browser: null, system: null }
  const { browser, os } = Bowser.parse(userAgent.slice(0, READ_CHARACTERS))
  return { browser: browser.name || null, system: os.name || null }
}

const MAPPED_IPV4 = /^::ffff:(?=[\d.]+$)/i
const IPV6_GROUPS = 8

/**
 * The first 24 bits of an IPv4 address or 48 bits of an IPv6 address, such as `203.0.113.*` or `2001:db8:1:*`; null for other
 * texts. The rest would identify a person's device.
 */
export function networkOf(ip: string | undefined): string | null {
  const [address = ''] = (ip ?? '').replace(MAPPED_IPV4, '').split('%')
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.*`
  if (!isIPv6(address)) return null
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: IPV6_GROUPS - before.length - after.length }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, 3)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}:*`
}
