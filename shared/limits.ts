// The numbers of §9, one place each, with their unit in the name.

export const PROJECT_NAME_MAX_CHARACTERS = 50
export const DEVICE_NAME_MAX_CHARACTERS = 50
export const LOCATION_MAX_CHARACTERS = 50

/** Rows of the device table (§2, §9). */
export const DEVICE_PAGE_SIZE = 15
export const DEVICE_PAGE_SIZE_MOBILE = 10
/** Page size of the gateway's project and device fetches (§7, §9). */
export const FETCH_PAGE_SIZE = 1000
export const USER_PAGE_SIZE = 15
/** A further page of customer cards loads on scroll once this many show (§2). */
export const CUSTOMER_PAGE_SIZE = 20
/** Upper bound of a page that a caller may ask for. */
export const PAGE_SIZE_MAX = 1000

/** A customer's data reload by themselves (§9). */
export const CUSTOMER_RELOAD_MS = 900_000
export const TOAST_MS = 5_000

/** Expiry badge (§9): red at 7 or fewer days, orange from 8 to 30. */
export const EXPIRY_DANGER_DAYS = 7
export const EXPIRY_WARNING_DAYS = 30

/** Countdown of the Session Expiring prompt (§9). */
export const SESSION_NOTICE_SECONDS = 60

/** Version line of the sidebar (§9). */
export const VERSION_LINE = '1.0'
