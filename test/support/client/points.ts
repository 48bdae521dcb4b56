// Points in the format of the entity model API.

export const pointModel = (number: number, rest: object = {}) => ({
  cloudId: `c-${number}`,
  displayName: `Point ${number}`,
  systemGuid: 'guid-1',
  outValue: '20.0 {ok}',
  facets: { writable: true },
  tags: { telemetryId: `t-${number}`, dataType: 'Numeric', historyName: `/a/${number}` },
  ...rest
})

export const pointPage = (pointModels: object[], page: object = {}) => ({
  _embedded: { pointModels },
  page: { number: 0, size: 1000, totalPages: 1, totalElements: pointModels.length, ...page }
})
