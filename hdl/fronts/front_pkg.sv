// SPDX-License-Identifier: Apache-2.0
//
// Memory map of a bus front: byte addresses and bits of the registers. hdl/docs/fronts.md has the
// page for a driver.
//
// Generated from hdl/registers.yaml by python -m ci.codes --write; do not edit.

package front_pkg;

  localparam logic [31:0] IdentificationValue = 32'h6d6f646d;
  localparam logic [31:0] VersionValue = 32'h00000100;

  // Codes of the tops in the register Capabilities.
  localparam int OperationMultiplier = 0;
  localparam int OperationExponentiation = 1;

  // Windows: that of loader address a begins at (a + 1) * 2**WindowBits.
  localparam int WindowBits = 12;
  localparam int FrontAddressWidth = 15;

  // Byte addresses of the registers
  localparam logic [WindowBits-1:0] FrontIdentification = 12'h0;
  localparam logic [WindowBits-1:0] FrontVersion = 12'h8;
  localparam logic [WindowBits-1:0] FrontCapabilities = 12'h10;
  localparam logic [WindowBits-1:0] FrontWidths = 12'h18;
  localparam logic [WindowBits-1:0] FrontRadix = 12'h20;
  localparam logic [WindowBits-1:0] FrontCommand = 12'h28;
  localparam logic [WindowBits-1:0] FrontStatus = 12'h30;
  localparam logic [WindowBits-1:0] FrontInterruptState = 12'h38;
  localparam logic [WindowBits-1:0] FrontInterruptEnable = 12'h40;
  localparam logic [WindowBits-1:0] FrontLength = 12'h48;

  // Events: bits of InterruptState and InterruptEnable
  localparam int FrontEvents = 2;
  localparam int EventDone = 0;
  localparam int EventError = 1;

  // Why the front rejected an access, beside BusError of multiplier_pkg
  localparam logic [3:0] FrontErrorWordOrder = 4'd8;
  localparam logic [3:0] FrontErrorPartialWord = 4'd9;

endpackage
