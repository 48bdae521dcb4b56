// What comes from the upstreams, as records that are JSON already; beside it only what joins them.
import type { DeviceRecords, SubscriptionRecords } from '../upstreams/inventory.ts'
import { Texts } from './texts.ts'

export interface FetchedDevices {
  /** Each device as JSON, without its closing brace. */
  heads: Texts
  uuids: Texts
  /** Empty when the device names none. */
  projectNames: Texts
}

export interface FetchedSubscriptions {
  /** Each subscription as JSON. */
  bodies: Texts
  /** Of the device. */
  uuids: Texts
}

/** Left out of a device: more follows. */
const CLOSING_BRACE = 1

export function joinPages(pages: readonly DeviceRecords[]): FetchedDevices {
  return {
    heads: new Texts(
      pages.map(({ json }) => json),
      CLOSING_BRACE
    ),
    uuids: new Texts(pages.map(({ keys }) => keys.deviceUuid)),
    projectNames: new Texts(pages.map(({ keys }) => keys.projectName))
  }
}

export function joinSlices(slices: readonly SubscriptionRecords[]): FetchedSubscriptions {
  return {
    bodies: new Texts(slices.map(({ json }) => json)),
    uuids: new Texts(slices.map(({ keys }) => keys.deviceUuid))
  }
}
