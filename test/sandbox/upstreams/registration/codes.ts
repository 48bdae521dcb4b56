// Registration codes of devices and their licences. The prefix decides: ONE00001, ONE00002 … have one licence, THREE001 …
// three, NONE0001 … none; OLD00001 … have expired. A code is valid for one device, for 15 minutes after its first use.
import type { OfferingCode } from '#shared/entities.ts'
import { ApiProblem } from '../../api/problems.ts'
import { NOTABLE } from '../../seed/notable.ts'
import { bits, seedOf } from '../../simulation/chance.ts'
import type { State } from '../../state.ts'

export interface License {
  licenseId: string
  niagaraLicenseId: string
  customerName: string
  features: { subscriptions: { offeringCode: OfferingCode }[] }
}

const VALID_MS = 15 * 60_000
const KINDS: [pattern: RegExp, licenses: number | 'expired'][] = [
  [/^ONE\d{5}$/, 1],
  [/^THREE\d{3}$/, 3],
  [/^NONE\d{4}$/, 0],
  [/^OLD\d{5}$/, 'expired']
]
const OFFERINGS: OfferingCode[][] = [['NDS', 'Remote', 'Recover'], ['NDS', 'Remote'], ['NDS']]

export function licensesOf(state: State, code: string): License[] {
  const [, kind] = KINDS.find(([pattern]) => pattern.test(code)) ?? []
  const use = state.registrationCodes.get(code) ?? { firstMs: state.clock(), spent: false }
  if (kind === undefined || use.spent) throw new ApiProblem(404, 'notFound', `code ${code} not found`)
  if (kind === 'expired' || state.clock() >= use.firstMs + VALID_MS)
    throw new ApiProblem(404, 'expired', `code ${code} has expired`)
  state.registrationCodes.set(code, use)
  return OFFERINGS.slice(0, kind).map((offerings, index) => license(state, code, index, offerings))
}

export function spend(state: State, code: string): void {
  const use = state.registrationCodes.get(code)
  if (use) use.spent = true
}

function license(state: State, code: string, index: number, offerings: OfferingCode[]): License {
  const seed = bits(seedOf(code), index)
  const digits = seed.toString(16).toUpperCase().padStart(8, '0')
  const customers = [NOTABLE.northwind, NOTABLE.withoutProjects, NOTABLE.withoutDevices]
  return {
    licenseId: `lic-${code}-${index + 1}`,
    niagaraLicenseId: `Niagara-${digits.slice(0, 4)}-${digits.slice(4)}`,
    customerName: state.organizations.get(customers[index] ?? '')?.orgName ?? '',
    features: { subscriptions: offerings.map((offeringCode) => ({ offeringCode })) }
  }
}
