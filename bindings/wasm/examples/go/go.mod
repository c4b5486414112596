module hookc.example/decide

go 1.25.0

require github.com/tetratelabs/wazero v1.12.0
