// .github/product.md#texts defines the wording of some.

export const NO_DEVICES = 'No Devices Registered'

export const NO_DEVICES_HINT = 'Go to the devices registration page to generate a registration link'

/** Shown while the data usage of devices is still loading. */
export const USAGE_LOADING = 'The data usage of some devices is still loading. More devices may appear here.'

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
