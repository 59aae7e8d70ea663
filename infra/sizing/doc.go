// Command sizing says how many brokers, TaskManagers and Druid nodes a load needs, what they cost, and what binds first. It is
// arithmetic over three files: a load, what was measured, and machines with their prices.
package main
