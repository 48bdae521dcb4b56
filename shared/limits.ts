// The numbers of .github/product.md#limits, with their unit in the name.

export const PROJECT_NAME_MAX_CHARACTERS = 50
export const DEVICE_NAME_MAX_CHARACTERS = 50
export const LOCATION_MAX_CHARACTERS = 50

/** Rows of the device table. */
export const DEVICE_PAGE_SIZE = 15
export const DEVICE_PAGE_SIZE_MOBILE = 10
/** Rows of an alarm list. */
export const ALARM_LIST_SIZE = 15
/** Page size of the gateway's project and device fetches. */
export const FETCH_PAGE_SIZE = 1000
export const USER_PAGE_SIZE = 15
/** Customer cards that are loaded at a time on scroll. */
export const CUSTOMER_PAGE_SIZE = 20
/** Maximum page size in a call. */
export const PAGE_SIZE_MAX = 1000

/** Interval at which a customer's data reload. */
export const CUSTOMER_RELOAD_MS = 900_000
export const TOAST_MS = 5_000

/** Expiry badge: red at 7 or fewer days, orange from 8 to 30. */
export const EXPIRY_DANGER_DAYS = 7
export const EXPIRY_WARNING_DAYS = 30

/** Maximum age of the last good backup of a device with Recover. */
export const BACKUP_DUE_DAYS = 30

/** Usage in percent of the plan limit: a warning from the first value, exceeded above the second. */
export const USAGE_WARNING_PERCENT = 80
export const USAGE_LIMIT_PERCENT = 100
/** Usage at the end of the bar, and the position of the plan limit's mark in percent of the bar's width. */
export const USAGE_BAR_SCALE_PERCENT = 150
export const USAGE_BAR_BASELINE_PERCENT = 66.5
/** Minimum age of a subscription for a yearly history, and for a graph. */
export const USAGE_YEARLY_MONTHS = 13
export const USAGE_GRAPH_MONTHS = 2

/** Countdown of the Session Expiring prompt. */
export const SESSION_NOTICE_SECONDS = 60

/** Version line of the sidebar. */
export const VERSION_LINE = '1.0'

export const NOTIFICATION_PAGE_SIZE = 20
/** Time that the bottom of the notification list is visible before the next page loads. */
export const NOTIFICATION_LAZY_LOAD_MS = 3_000

/** Service accounts show on one page. */
export const SERVICE_ACCOUNT_LIST_SIZE = 1000
/** Descriptions and notes. */
export const DESCRIPTION_MAX_CHARACTERS = 300

export const REGISTRATION_CODE_CHARACTERS = 8
/** Counted from the start of registration. */
export const REGISTRATION_VALID_MS = 900_000

/** The priority of every command to a device. */
export const REQUEST_PRIORITY = 255

/** Maximum points of a chart. */
export const CHART_POINTS_MAX = 10

export const REPORT_NAME_MAX_CHARACTERS = 50

/** RFC 5321: the longest address that can be delivered to. */
export const EMAIL_MAX_CHARACTERS = 254

/** Default and maximum number of results of a search over customers. */
export const SEARCH_SIZE = 10
export const SEARCH_SIZE_MAX = 50
