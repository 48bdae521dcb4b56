// How much of a customer is read. The largest customers that we support have 100,000 devices with five subscriptions each.
import { FETCH_PAGE_SIZE } from '#shared/limits.ts'

/** Of one customer: twice the devices that we support, and a project for every five that we do. */
export const RECORDS_MAX = { projects: 20_000, devices: 200_000, subscriptions: 500_000 } as const

/** One of a device for each of the three services would do; these hold ten years of renewals and more. */
export const SUBSCRIPTIONS_PER_DEVICE_MAX = 50

/** Subscriptions come as one list, not in pages: 500,000 take 60 MB. */
export const SUBSCRIPTIONS_MAX_BYTES = 64 * 2 ** 20

/** Five times what the product takes as a name. */
export const TEXT_MAX_CHARACTERS = 256
/** Times have 24. */
export const SUBSCRIPTION_TEXT_MAX_CHARACTERS = 64

/** For each record that a page may hold: a device of ours has some 15 values in 4 levels. */
export const PAGE_LIMITS = { maxDepth: 32, maxValues: 100 * FETCH_PAGE_SIZE } as const
