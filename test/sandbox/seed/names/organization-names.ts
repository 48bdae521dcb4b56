// The integrators and their customers, by name and kind. All of them are fictional.

export type SiteKind = 'hospital' | 'campus' | 'tower' | 'museum' | 'dataCentre' | 'hotel' | 'airport'

export interface CustomerName {
  name: string
  kind: SiteKind
}

export interface IntegratorName {
  id: string
  name: string
  isTechViewEnabled: boolean
  firstCustomer: number
  customers: CustomerName[]
}

function customers(kind: SiteKind, ...names: string[]): CustomerName[] {
  return names.map((name) => ({ name, kind }))
}

// The first seven customers of the first integrator are the notable ones, in the order of their ids.
const MERIDIAN = [
  ...customers('hospital', 'Northwind Hospitals'),
  ...customers('museum', 'Riverside Museum of Art'),
  ...customers('dataCentre', 'Lakeshore Data Centre'),
  ...customers('campus', 'Alder University'),
  ...customers('hospital', 'St. Brigid Medical Center'),
  ...customers('tower', 'Kestrel Tower'),
  ...customers('hotel', 'Grand Harbour Hotels'),
  ...customers('hospital', 'Cedar Valley Health', "Bayview Children's Hospital", 'Summit Care Group'),
  ...customers(
    'hospital',
    'Prairie Regional Clinics',
    'Mercy & Grace Hospitals',
    'Silverlake Rehabilitation'
  ),
  ...customers(
    'campus',
    'Whitmore College',
    'Hawthorne Schools',
    'Ironbridge Polytechnic',
    'Oakfield Campus'
  ),
  ...customers('campus', 'Larkspur Research Park', 'Ferndale Institute', 'Maple Ridge School District'),
  ...customers(
    'tower',
    'One Quayside',
    'Beacon Plaza',
    'Halcyon Towers',
    'Meridian Point Offices',
    'The Foundry'
  ),
  ...customers(
    'tower',
    'Parkline Estates',
    'Corner & Main Properties',
    'Vantage Court',
    'Ashgrove Business Park'
  ),
  ...customers(
    'museum',
    'Natural History Hall',
    'Old Mint Museum',
    'Willow Street Theatre',
    'Harlow Concert Hall'
  ),
  ...customers('dataCentre', 'Polar Cloud Hosting', 'Basalt Data Vaults', 'Quarry Lane Colocation'),
  ...customers('hotel', 'Juniper Inns', 'Lighthouse Resorts', 'Blue Heron Suites', 'Kingfisher Hotels'),
  ...customers(
    'airport',
    'Eastgate Airport',
    'Fairmont Regional Airport',
    'Union Station Trust',
    'Harbour Ferry Terminals'
  ),
  ...customers('campus', 'City of Elmsworth')
]

const HARBOR = [
  ...customers('hospital', 'Coastal Health Trust', 'Dune Street Clinic'),
  ...customers('tower', 'Pier Nine Offices', 'Anchor House'),
  ...customers('hotel', 'Saltmarsh Lodge'),
  ...customers('airport', 'Northport Cruise Terminal')
]

const ALPENGLOW = [
  ...customers('campus', 'High Meadow College'),
  ...customers('hotel', 'Larch & Stone Resorts', 'Glacier View Hotel'),
  ...customers('dataCentre', 'Coldwater Compute'),
  ...customers('hospital', 'Mountain Rescue Hospital')
]

export const INTEGRATORS: IntegratorName[] = [
  {
    id: '100',
    name: 'Meridian Building Controls',
    isTechViewEnabled: true,
    firstCustomer: 1001,
    customers: MERIDIAN
  },
  {
    id: '200',
    name: 'Harbor Automation Partners',
    isTechViewEnabled: false,
    firstCustomer: 2001,
    customers: HARBOR
  },
  {
    id: '300',
    name: 'Alpenglow Systems Integration',
    isTechViewEnabled: true,
    firstCustomer: 3001,
    customers: ALPENGLOW
  }
]
