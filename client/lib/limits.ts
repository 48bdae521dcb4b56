// The numbers of .github/product.md#limits that only screens use, with their unit in the name.

export const USER_PAGE_SIZE = 15
/** Interval of reads while an answer lacks a part that could not be read. */
export const PARTIAL_RETRY_MS = 30_000
/** Interval of reads while a page shows current values. */
export const LIVE_READ_MS = 10_000
/** Interval at which a customer's data reload. */
export const CUSTOMER_RELOAD_MS = 900_000
export const TOAST_MS = 5_000

export const NOTIFICATION_PAGE_SIZE = 20
/** A longer subject of a notification is shortened. */
export const SUBJECT_CHARACTERS = { mobile: 35, desktop: 39 } as const
/** Time that the bottom of the notification list is visible before the next page loads. */
export const NOTIFICATION_LAZY_LOAD_MS = 3_000

/** Service accounts show on one page. */
export const SERVICE_ACCOUNT_LIST_SIZE = 1000

export const REGISTRATION_CODE_CHARACTERS = 8
/** Counted from the start of registration. */
export const REGISTRATION_VALID_MS = 900_000

/** The priority of every command to a device. */
export const REQUEST_PRIORITY = 255

/** Maximum points of a chart. */
export const CHART_POINTS_MAX = 10

/** A file with changes of devices. 5,000 rows with the longest texts have less than 5 MB. */
export const BULK_EDIT_ROWS_MAX = 5_000
export const BULK_EDIT_FILE_MAX_MB = 10
