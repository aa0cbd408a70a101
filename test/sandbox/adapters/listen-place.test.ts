import { expect, test } from 'vitest'
import { certificateHosts, listenerNames } from '../../../sandbox/adapters/listen-place.ts'

const LOOPBACK = ['127.0.0.1:4011', 'localhost:4011', '[::1]:4011']

test.each([
  ['on loopback', undefined, { own: '127.0.0.1:4011', public: '127.0.0.1:4011', all: LOOPBACK }],
  [
    'on every address',
    { address: '0.0.0.0', allowedHosts: ['hookbench', 'localhost:5011'] },
    {
      own: '127.0.0.1:4011',
      public: 'hookbench:4011',
      all: [...LOOPBACK, 'hookbench:4011', 'localhost:5011'],
    },
  ],
  [
    'on every address of both families',
    { address: '::', allowedHosts: ['[fd00::5]'] },
    { own: '[::1]:4011', public: '[fd00::5]:4011', all: [...LOOPBACK.toReversed(), '[fd00::5]:4011'] },
  ],
  [
    'on one address',
    { address: '10.0.0.5', allowedHosts: ['bench.example'] },
    { own: '10.0.0.5:4011', public: 'bench.example:4011', all: ['10.0.0.5:4011', 'bench.example:4011'] },
  ],
  [
    'on one IPv6 address',
    { address: 'fd00::5', allowedHosts: ['bench.example'] },
    { own: '[fd00::5]:4011', public: 'bench.example:4011', all: ['[fd00::5]:4011', 'bench.example:4011'] },
  ],
])('listenerNames() of a listener %s', (_, place, names) => {
  expect(listenerNames(place, 4_011)).toEqual(names)
})

test('listenerNames() has a name without the port 443', () => {
  const place = { address: '10.0.0.5', allowedHosts: ['hookbench', 'bench.example:443'] }

  expect(listenerNames(place, 443).all).toEqual([
    '10.0.0.5:443',
    '10.0.0.5',
    'hookbench:443',
    'hookbench',
    'bench.example:443',
    'bench.example',
  ])
  expect(listenerNames(place, 4_011).all).toEqual([
    '10.0.0.5:4011',
    'hookbench:4011',
    'bench.example:443',
    'bench.example',
  ])
})

test('certificateHosts() has the names without ports, and the names of local commands', () => {
  const allowedHosts = ['hookbench', 'hookbench:5011']

  expect(certificateHosts({ address: '0.0.0.0', allowedHosts })).toEqual([
    '127.0.0.1',
    'localhost',
    '[::1]',
    'hookbench',
  ])
  expect(certificateHosts({ address: '10.0.0.5', allowedHosts })).toEqual(['10.0.0.5', 'hookbench'])
})
