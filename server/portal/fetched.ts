// What comes from the upstreams, serialized as it comes, while more is waited for; beside it only what joins it.
import type { FetchedDevice, FetchedSubscription } from '../upstreams/inventory.ts'
import { type Texts, type TextsPart, textsOf, textsPart } from './texts.ts'

export interface DevicePage {
  /** Each device as JSON, without its closing brace. */
  heads: TextsPart
  uuids: string[]
  projectNames: string[]
}

export interface SubscriptionSlice {
  /** Each subscription as JSON. */
  bodies: TextsPart
  uuids: string[]
}

export interface FetchedDevices {
  heads: Texts
  uuids: readonly string[]
  /** Empty when the device names none. */
  projectNames: readonly string[]
}

export interface FetchedSubscriptions {
  bodies: Texts
  /** Of the device. */
  uuids: readonly string[]
}

/** Left out of a device: more follows. */
const CLOSING_BRACE = 1

/** Names of projects repeat: each is kept once. */
export function devicePageReader(): (devices: FetchedDevice[]) => DevicePage {
  const names = new Map<string, string>()
  const once = (name: string) => {
    const known = names.get(name)
    if (known === undefined) names.set(name, name)
    return known ?? name
  }
  return (devices) => ({
    heads: textsPart(devices, CLOSING_BRACE),
    uuids: devices.map(({ deviceUuid }) => deviceUuid),
    projectNames: devices.map(({ projectName }) => once(projectName ?? ''))
  })
}

export function readSubscriptions(subscriptions: FetchedSubscription[]): SubscriptionSlice {
  return {
    bodies: textsPart(subscriptions.map(({ subscription }) => subscription)),
    uuids: subscriptions.map(({ deviceUuid }) => deviceUuid)
  }
}

export function joinPages(pages: readonly DevicePage[]): FetchedDevices {
  return {
    heads: textsOf(pages.map(({ heads }) => heads)),
    uuids: pages.flatMap(({ uuids }) => uuids),
    projectNames: pages.flatMap(({ projectNames }) => projectNames)
  }
}

export function joinSlices(slices: readonly SubscriptionSlice[]): FetchedSubscriptions {
  return {
    bodies: textsOf(slices.map(({ bodies }) => bodies)),
    uuids: slices.flatMap(({ uuids }) => uuids)
  }
}
