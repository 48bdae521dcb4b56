// Ids of the organizations and devices that tests and people look for by name, and codes to register devices with. Everything else about them is in the other files.

export const NOTABLE = {
  /** The integrator with 45 customers; partner.admin's. */
  partner: '100',
  /** An integrator without the tech-support view. */
  partnerWithoutTechView: '200',
  thirdPartner: '300',
  /** 63 projects, 1,240 devices; customer.admin's and customer.user's. */
  northwind: 'c-1001',
  withoutProjects: 'c-1002',
  /** Exactly one project, without devices. */
  withoutDevices: 'c-1003',
  /** The three customers of customer.multi; the first is its own organization. */
  multi: ['c-1004', 'c-1005', 'c-1006'],
  /** custom.user is customer_admin at the first and customer_user at the second. */
  custom: ['c-1004', 'c-1007'],
  /** Customers of the other integrators. */
  otherPartnersCustomer: 'c-2001',
  /** Made when the sandbox is asked for one customer of a given size. */
  huge: 'c-9999'
} as const

/** Devices of Northwind. What they are called and where they stand, their number decides as for any other. */
export const NOTABLE_DEVICES = {
  /** An air handling unit with all three services; its usage is well within the plan, its graph monthly. */
  airHandler: 'd-1001-105',
  /** A floor of air boxes with all three services; its usage is beyond the plan, its graph yearly. */
  usageExceeded: 'd-1001-9',
  /** Its usage is close to the plan's limit, its graph yearly. */
  usageWarning: 'd-1001-41',
  chiller: 'd-1001-145',
  /** Has all three services and cannot be reached: live values are stale, writes and remote sessions fail. */
  offline: 'd-1001-953',
  withoutServices: 'd-1001-6'
} as const

/**
 * Codes that a device might show, by what is behind them. Any other digits do as well (`ONE00002`), since each code
 * is good for one device, within 15 minutes of its first use.
 */
export const CODES = {
  oneLicense: 'ONE00001',
  threeLicenses: 'THREE001',
  noLicense: 'NONE0001',
  expired: 'OLD00001'
} as const
