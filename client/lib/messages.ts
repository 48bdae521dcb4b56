// Texts of screens. .github/product.md#texts defines the wording of some.

export const ACCESS_CHANGED =
  'Your access has changed. Some pages and actions are no longer available. Contact your administrator if you need them.'
/** The text of the error after a 401, which leads to a silent renewal and then to sign-in. */
export const NOT_AUTHENTICATED = 'user is not authenticated'
export const CUSTOMER_NOT_SET = 'currentCustomer is not set'

/** Texts of empty lists and pages. */
export const NO_CUSTOMERS = 'No Customers Added'
export const NO_PROJECTS =
  'No data available. This customer has no projects yet, please create a new project to proceed.'
export const NO_DEVICES = 'No Devices Registered'
export const NO_DEVICES_HINT = 'Go to the devices registration page to generate a registration link'
export const PAGE_NOT_FOUND = 'Page Not Found'

/** Shown while devices have no subscriptions only because the gateway could not read them. */
export const SUBSCRIPTIONS_UNREAD = 'Subscriptions could not be read'
export const SERVICES_UNKNOWN = `${SUBSCRIPTIONS_UNREAD}. Which services are active is not known.`

/** Shown while the data usage of devices is still loading. */
export const USAGE_LOADING = 'The data usage of some devices is still loading. More devices may appear here.'

export const INVITATION = {
  notFound: {
    title: 'User Invitation not found',
    text: "We couldn't find an invitation associated with this user."
  },
  failed: "We couldn't process your request, try again later."
} as const

export const NOTIFICATION_SETTINGS = {
  loadFailed: 'An error occurred while fetching notification details.',
  saved: 'Notification setting updated.',
  saveFailed: 'An error occurred while Updating notification details.'
} as const

export const UNSAVED_CHANGES = {
  saveFailed: 'A problem occurred while saving.',
  discardFailed: 'A problem occurred while discarding.'
} as const

export const PROJECT = {
  createDuplicate: 'Project already exists. Choose different name',
  renameDuplicate: 'Project already exists. Choose different name.',
  createFailed: 'Failed to create project',
  renameFailed: 'Failed to update the project name.',
  deleteFailed: 'Failed to delete project',
  created: (name: string) => `Project '${name}' created successfully.`,
  renamed: (name: string) => `Project name '${name}' updated successfully.`,
  renameUndone: (name: string) => `Renaming undone: the project is called '${name}' again.`,
  deleted: (name: string) => `Project '${name}' deleted successfully.`
} as const

export const DEVICE = {
  deleted: 'Device Deleted',
  deleteFailed: (deviceName: string) => `Failed to delete ${deviceName}`,
  nameUpdated: 'Device name updated.',
  locationUpdated: 'Device location updated.',
  nameAndLocationUpdated: 'Device name and location updated.',
  moved: (projectName: string) => `Device moved to project '${projectName}'.`,
  movedMany: (devices: string, projectName: string) => `${devices} moved to project '${projectName}'.`,
  moveUndone: (devices: string) => `Move undone: ${devices} back in place.`,
  moveNotUndone: (devices: string) => `The move of ${devices} could not be undone.`,
  updateUndone: 'Change undone: the device is as it was.',
  moveFailed: 'Failed to move device',
  nameFailed: 'Failed to update device name',
  locationFailed: 'Failed to update device location',
  nameAndLocationFailed: 'Failed to update device name and location',
  updateFailed: 'Failed to update device',
  /** Somebody else has deleted the device. */
  gone: (deviceName: string) => `${deviceName} no longer exists: it was deleted elsewhere.`
} as const

/** Why a file with devices, or one of its rows, changes nothing. */
export const BULK_EDIT = {
  workbook:
    'This is a workbook, not a CSV file. Open it in the spreadsheet, save it as “CSV UTF-8”, and choose that file.',
  unreadable:
    'This file is not a text that can be read. Save it in the spreadsheet as “CSV UTF-8”, and choose that file.',
  empty: 'The file is empty. Choose the file that you saved in the spreadsheet.',
  noRows: 'The file has no rows below its first row. Choose the file that you saved in the spreadsheet.',
  tooLarge: (megabytes: number) =>
    `The file is larger than ${megabytes} MB. Choose the file that you saved in the spreadsheet.`,
  tooManyRows: (max: string) =>
    `The file has more than ${max} rows, which can be changed at a time. Split it into several files.`,
  endlessRow: (row: number) => `A quotation mark in row ${row} is not closed.`,
  missingColumns: (names: readonly string[]) =>
    `The file lacks columns: ${names.join(', ')}. Keep all columns and the first row, or save the file from the portal again.`,
  doubleColumn: (name: string) =>
    `The file has the column “${name}” twice. Remove one of them, and choose the file again.`,
  tooManyCells: (cells: number, columns: number) =>
    `The row has ${cells} cells, but the file has ${columns} columns. A text with a comma or semicolon may need quotes.`,
  wrongQuotes: 'A quotation mark in the row is not closed, or stands in the middle of a cell.',
  uuidEmpty: 'The Device UUID is empty.',
  unknownUuid: 'The customer has no device with this Device UUID.',
  duplicate: (rows: readonly number[]) =>
    `The device is in several rows: ${rows.join(', ')}. Keep one of them.`,
  versionLost: 'The Version is not as it was saved. Save the file from the portal again.',
  changedSince:
    'The device has changed since the file was saved. Save the file from the portal again, and repeat your change.',
  nameEmpty: 'Enter a device name.',
  locationEmpty: 'Enter a location.',
  projectEmpty: 'A device cannot leave its project without another one.',
  unknownProject: 'The customer has no project with this name.',
  ambiguousProject: (names: readonly string[]) =>
    `Several projects have this name. Write one of ${names.map((name) => `“${name}”`).join(', ')}.`,
  mayNotMove: 'Your role does not include moving devices to another project.'
} as const

export const REREGISTRATION = {
  done: 'Device re-registered.',
  failed: {
    title: 'Device re-registration failed!',
    text: 'Failed to re-register device. Please, try again after sometime'
  }
} as const

export const LICENSES = {
  failed: 'Sorry, not able to fetch license information right now, Please try again.',
  none: 'No license information found. Please contact the sales team to purchase a license'
} as const

export const VALIDATION = {
  symbols: 'Symbols like *,<,>,/ are not allowed.',
  email: 'Invalid Email',
  tooLong: (characters: number) => `Maximum allowed characters is ${characters}`
} as const
