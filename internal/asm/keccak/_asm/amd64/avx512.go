package main

func avx512() {}
