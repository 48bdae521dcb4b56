// Every address of the client that code leads to.
export const paths = {
  home: '/',
  accessDenied: '/errors/authorization',
  integrator: (organizationId: string) => `/integrators/${encodeURIComponent(organizationId)}`,
  /** A global admin sees customers under their integrator. */
  customer: (customerId: string, organizationId?: string) =>
    `${organizationId ? paths.integrator(organizationId) : ''}/customers/${encodeURIComponent(customerId)}`,
  device: (customerPath: string, deviceUuid: string) =>
    `${customerPath}/devicedetails?deviceUuid=${encodeURIComponent(deviceUuid)}`
}
