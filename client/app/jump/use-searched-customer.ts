import { useState } from 'react'
import { useMatch } from 'react-router-dom'
import { ownCustomer } from '#shared/landing.ts'
import { useProjects } from '../../features/customers/api.ts'
import { useSession } from '../../features/session/session.ts'
import { paths } from '../../lib/paths.ts'
import { recall, remember } from '../../lib/storage.ts'
import type { SearchedCustomer } from './jump-targets.ts'

interface Searched {
  customer: SearchedCustomer | null
  search: (customer: SearchedCustomer | null) => void
}

/** The customer of the address, else a person's only one, else the last one; or any other that is chosen. */
export function useSearchedCustomer(): Searched {
  const session = useSession()
  const here = useMatch('/customers/:customerId/*')?.params
  const under = useMatch('/integrators/:organizationId/customers/:customerId/*')?.params
  const stored = `portal.jump.${session.user.id}`
  const [chosen, setChosen] = useState<SearchedCustomer | null | undefined>(undefined)
  const id = here?.customerId ?? under?.customerId ?? ownCustomer(session)
  const { data } = useProjects(chosen === undefined ? id : null)
  const known = id
    ? { id, name: data?.customer.orgName ?? '', path: paths.customer(id, under?.organizationId) }
    : null
  return {
    customer: chosen === undefined ? (known ?? recall<SearchedCustomer>(stored)) : chosen,
    search(customer) {
      setChosen(customer)
      remember(stored, customer)
    }
  }
}
