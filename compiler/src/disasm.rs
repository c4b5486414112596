//! The disassembler (`hookc disasm`, `compile --emit asm`). (stub)
