// The customers as their page lists them first (features/customers).
import type { AttentionKind, AttentionList, CustomerAttention } from '#shared/attention.ts'
import type { Bootstrap } from '#shared/entities.ts'
import {
  CUSTOMERS_SHOWN,
  factsOf,
  foundIn,
  isOld,
  isUnread,
  readAtOf,
  TONES,
  worstFirst
} from '../features/customers/attention.ts'
import { ALL_WELL, gapsOf, sizeOf, WORDS } from '../features/customers/attention-words.ts'
import { mayOpenAlarms } from '#shared/landing.ts'
import { formatNumber } from '../lib/format.ts'
import { paths } from '../lib/paths.ts'
import { formatAgo } from '../lib/time/ago.ts'
import { type Child, clippedText, element, iconPlace, toolsPlace } from './element.ts'
import { pageOf } from './page.ts'

/** Null where there is none: the page says why. */
export function customersPage(bootstrap: Bootstrap, { items }: AttentionList): HTMLElement | null {
  if (items.length === 0) return null
  const needing = items.filter((customer) => foundIn(customer).length > 0).length
  const unread = items.filter(isUnread).length
  const cards = worstFirst(items).slice(0, CUSTOMERS_SHOWN)
  return pageOf(
    {
      title: bootstrap.user.organizationName ?? 'Customers',
      facts: factsOf({ needing, unread, all: items.length }),
      crumbs: [{ label: 'Home' }]
    },
    element(
      'section',
      { class: 'customers' },
      element('div', { class: 'progress-bar' }),
      element(
        'div',
        { class: 'customers-head' },
        element(
          'div',
          { class: 'overline' },
          element('h2', {}, 'ALL CUSTOMERS'),
          element('span', {}, formatNumber(items.length))
        ),
        element('div', { class: 'customers-tools' }, toolsPlace())
      ),
      element('ul', { class: 'customer-cards' }, ...cards.map((customer) => cardOf(customer, bootstrap)))
    )
  )
}

function cardOf(customer: CustomerAttention, bootstrap: Bootstrap): HTMLElement {
  const readAt = readAtOf(customer)
  const nowMs = Date.parse(bootstrap.now)
  return element(
    'li',
    {},
    element(
      'a',
      { class: 'customer-card', href: paths.customer(customer.id) },
      element('strong', {}, clippedText(customer.orgName)),
      element('span', {}, sizeOf(customer))
    ),
    readAt &&
      element(
        'span',
        { class: 'attention-age', 'data-old': isOld(customer, nowMs) ? 'true' : undefined },
        'checked ',
        element('time', { datetime: readAt }, formatAgo(readAt, nowMs))
      ),
    chipsOf(customer, bootstrap)
  )
}

function chipsOf(customer: CustomerAttention, bootstrap: Bootstrap): HTMLElement {
  const found = foundIn(customer)
  const { failed, unread } = gapsOf(customer)
  const allWell = found.length === 0 && failed === null && unread === null
  return element(
    'ul',
    { class: 'attention' },
    ...found.map((kind) => element('li', {}, chipOf(kind, customer, bootstrap))),
    failed && noteOf(iconPlace(), failed),
    unread && noteOf(unread),
    allWell ? noteOf(iconPlace(), ALL_WELL) : null
  )
}

const noteOf = (...children: Child[]) => element('li', { class: 'attention-note' }, ...children)

function chipOf(kind: AttentionKind, customer: CustomerAttention, bootstrap: Bootstrap): HTMLElement {
  const { label, meaning, to } = WORDS[kind]
  const leads = kind !== 'alarms' || mayOpenAlarms(bootstrap)
  return element(
    leads ? 'a' : 'span',
    {
      class: `attention-chip ${TONES[kind]}`,
      href: leads ? to(paths.customer(customer.id)) : undefined
    },
    iconPlace(),
    `${label} `,
    element('b', { class: 'attention-count' }, formatNumber(customer.counts[kind]?.count ?? 0)),
    ' ',
    element('span', { class: 'sr-only' }, meaning)
  )
}
