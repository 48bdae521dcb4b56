import { useMatch } from 'react-router-dom'

interface CustomerInAddress {
  customerId?: string | undefined
  organizationId?: string | undefined
}

/** The customer whose page is open, and its integrator for a global admin. Without values on other pages. */
export function useCustomerInAddress(): CustomerInAddress {
  const own = useMatch('/customers/:customerId/*')?.params
  return useMatch('/integrators/:organizationId/customers/:customerId/*')?.params ?? own ?? {}
}
