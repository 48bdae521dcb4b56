// The numbers of .github/product.md#limits, with their unit in the name. Those of screens only are in client/lib/limits.ts.

export const PROJECT_NAME_MAX_CHARACTERS = 50
export const DEVICE_NAME_MAX_CHARACTERS = 50
export const LOCATION_MAX_CHARACTERS = 50

/** Rows of the device table. */
export const DEVICE_PAGE_SIZE = 15
export const DEVICE_PAGE_SIZE_MOBILE = 10
/** Rows of an alarm list. */
export const ALARM_LIST_SIZE = 15
/** Rows of a list of devices over all customers. */
export const ORGANIZATION_LIST_SIZE = 25
/** Customer cards that are loaded at a time on scroll. */
export const CUSTOMER_PAGE_SIZE = 20
/** Maximum number of customers that a call may name to have their counts read first: those of a page of the start page. */
export const ATTENTION_FIRST_MAX = 50
/** Names of a customer's points in an answer, the most frequent ones. */
export const POINT_NAMES_MAX = 500
/** Maximum number of changes in a call that changes roles, and of roles in a call that creates a user or an account. */
export const ROLE_CHANGES_MAX = 100
/** Maximum page size in a call. */
export const PAGE_SIZE_MAX = 1000

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

/** Version line of the sidebar. */
export const VERSION_LINE = '1.0'

/** Descriptions and notes. */
export const DESCRIPTION_MAX_CHARACTERS = 300

export const REPORT_NAME_MAX_CHARACTERS = 50
/** Data of a saved report: each point needs a column of the file, and each device a page of records in memory. */
export const REPORT_POINTS_MAX = 100
/** Records of hours or days that one call may read: about 20 MB of CSV, or 250 MB of JSON. */
export const REPORT_RECORDS_MAX = 2_000_000

/** RFC 5321: the longest address that can be delivered to. */
export const EMAIL_MAX_CHARACTERS = 254
