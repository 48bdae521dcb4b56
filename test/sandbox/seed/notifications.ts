// Notifications: a few dozen for each sample sign-in. Some hold markup or unknown placeholders.

import type { NotificationRecord, UserRecord } from '../records/people.ts'
import { SIGN_INS } from '../sign-ins.ts'
import { seedOf } from '../simulation/chance.ts'
import { customersOf, type State } from '../state.ts'
import { NOTABLE } from './notable.ts'
import { type Random, randomFrom } from './random.ts'
import { startOfDay } from './sites.ts'

const HOUR_MS = 3_600_000

interface Text {
  subject: string
  content: string
}

const ABOUT_ACCOUNTS: Text[] = [
  {
    subject: 'Service account secret expires soon',
    content:
      'The secret of service account {service_account_name} expires in {number_of_days_for_expiry} days. Generate a new one.'
  },
  {
    subject: 'Service account secret has expired',
    content: 'The secret of {service_account_name} has expired. Programs that use it are refused.'
  },
  {
    subject: 'Service account was changed',
    content:
      'The roles of <b>{service_account_name}</b> were changed. Request {request_number} has the details.'
  }
]
const ABOUT_SUBSCRIPTIONS: Text[] = [
  {
    subject: 'Subscription expires soon',
    content:
      'The subscription {subscription_name} expires in {number_of_days_for_expiry} days. Renew it at {licensing_website_link}.'
  },
  {
    subject: 'Subscription has expired',
    content: 'The subscription {subscription_name} has expired. See {licensing_website_link}'
  },
  {
    subject: 'Data usage is approaching the limit',
    content: 'Devices of customer {customer_id} have used most of their plan. <script>alert("no")</script>'
  },
  {
    subject: 'Maintenance tonight & tomorrow',
    content:
      "Histories may arrive late between 01:00 and 03:00 UTC.\nNothing is lost. We're sorry, {greeting}."
  }
]
const SUBSCRIPTIONS = ['NDS', 'Remote', 'Recover']
const SAMPLE_USERS = new Set(SIGN_INS.map((one) => `u-${one.username.replace('.', '-')}`))

export function notificationsFor(state: State, user: UserRecord): NotificationRecord[] {
  if (user.roleAssignments.length === 0) return []
  const random = randomFrom(seedOf(user.id))
  const count = SAMPLE_USERS.has(user.id) ? 34 + random.below(20) : random.below(6)
  const today = startOfDay(state.startedMs)
  let ageHours = 1
  return Array.from({ length: count }, (_, index) => {
    ageHours += 1 + random.below(48)
    return {
      notificationId: `n-${user.id.slice(2)}-${index + 1}`,
      ...aboutSomething(state, user, index, random),
      generatedDate: new Date(today - ageHours * HOUR_MS - random.below(HOUR_MS)).toISOString(),
      readStatus: index > 2 && random.below(5) > 1
    }
  })
}

function aboutSomething(state: State, user: UserRecord, index: number, random: Random) {
  const customerId = customerOf(state, user, random)
  const days = String(random.pick([1, 3, 7, 8, 14, 30]))
  const account = random.pick([...state.serviceAccounts.of(customerId), null])
  const nothing = {
    number_of_days_for_expiry: null,
    service_account_id: null,
    service_account_name: null,
    subscription_name: null,
    customer_id: customerId,
    licensing_website_link: null
  }
  if (index % 2 === 0 && account)
    return {
      ...random.pick(ABOUT_ACCOUNTS),
      substitutions: {
        ...nothing,
        number_of_days_for_expiry: days,
        service_account_id: account.id,
        service_account_name: account.serviceName
      }
    }
  return {
    ...random.pick(ABOUT_SUBSCRIPTIONS),
    substitutions: {
      ...nothing,
      number_of_days_for_expiry: days,
      subscription_name: random.pick(SUBSCRIPTIONS),
      licensing_website_link: 'https://licensing.example/renew'
    }
  }
}

function customerOf(state: State, user: UserRecord, random: Random): string {
  const home = state.organizations.get(user.organizationId ?? NOTABLE.partner)
  if (home?.partnerId) return home.id
  if (random.below(3) === 0) return NOTABLE.northwind
  return random.pick(customersOf(state, home?.id ?? NOTABLE.partner)).id
}
