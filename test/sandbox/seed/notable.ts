// Ids of organizations, people and devices that tests rely on, and codes to register devices.

export const NOTABLE = {
  partner: '100',
  /** An integrator without the tech-support view. */
  partnerWithoutTechView: '200',
  thirdPartner: '300',
  northwind: 'c-1001',
  withoutProjects: 'c-1002',
  withoutDevices: 'c-1003',
  multi: ['c-1004', 'c-1005', 'c-1006'],
  /** custom.user is customer_admin of the first customer and customer_user of the second. */
  custom: ['c-1004', 'c-1007'],
  withOneAdmin: 'c-1006',
  otherPartnersCustomer: 'c-2001',
  huge: 'c-9999'
} as const

export const NOTABLE_PEOPLE = {
  /** The only admin of `NOTABLE.withOneAdmin`. */
  lastAdmin: 'u-c-1006-5'
} as const

export const NOTABLE_DEVICES = {
  airHandler: 'd-1001-105',
  usageExceeded: 'd-1001-9',
  usageWarning: 'd-1001-41',
  /** Its data services began less than two months ago. Its first ten points by name have a history. */
  chiller: 'd-1001-145',
  offline: 'd-1001-953',
  withoutServices: 'd-1001-6'
} as const

/** Registration codes; other digits work too (`ONE00002`). A code registers one device within 15 minutes of its first use. */
export const CODES = {
  oneLicense: 'ONE00001',
  threeLicenses: 'THREE001',
  noLicense: 'NONE0001',
  expired: 'OLD00001'
} as const
